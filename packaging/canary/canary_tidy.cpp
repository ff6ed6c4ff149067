// SPDX-License-Identifier: MIT
// One known defect per family of clang-tidy checks: packaging/checks.sh expects each line marked "expect" to be
// reported by the check that it names. It is part of no build.
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace canary {

std::size_t useAfterMove()
{
    std::string text = "text";
    const std::string other = std::move(text);
    return text.size() + other.size(); // expect bugprone-use-after-move
}

int nullPointer(bool wanted)
{
    int *pointer = nullptr;
    if (wanted) {
        *pointer = 1; // expect clang-analyzer-core.NullDereference
    }
    return 0;
}

const char *threads()
{
    return std::getenv("HOME"); // expect concurrency-mt-unsafe
}

bool redundant(int value)
{
    return value == value; // expect misc-redundant-expression
}

int *oldNull()
{
    return 0; // expect modernize-use-nullptr
}

std::size_t copies(const std::vector<std::string> &texts)
{
    std::size_t sum = 0;
    for (const std::string text : texts) { // expect performance-for-range-copy
        sum += text.size();
    }
    return sum;
}

int braces(int value)
{
    if (value > 0) // expect readability-braces-around-statements
        return 1;
    return 0;
}

int Badly_Named() // expect readability-identifier-naming
{
    return 0;
}

int complex(int a, int b, int c) // expect readability-function-cognitive-complexity
{
    int sum = 0;
    for (int i = 0; i < a; ++i) {
        for (int j = 0; j < b; ++j) {
            for (int k = 0; k < c; ++k) {
                if (i == j) {
                    if (j == k) {
                        while (sum < 3) {
                            if (i > 3) {
                                sum += k > 4 ? 1 : 2;
                            }
                        }
                    }
                }
            }
        }
    }
    return sum;
}

int tooLong(int x) // expect readability-function-size
{
    x += 1;
    x += 2;
    x += 3;
    x += 4;
    x += 5;
    x += 6;
    x += 7;
    x += 8;
    x += 9;
    x += 10;
    x += 11;
    x += 12;
    x += 13;
    x += 14;
    x += 15;
    x += 16;
    x += 17;
    x += 18;
    x += 19;
    x += 20;
    x += 21;
    x += 22;
    x += 23;
    x += 24;
    x += 25;
    x += 26;
    x += 27;
    x += 28;
    x += 29;
    x += 30;
    x += 31;
    x += 32;
    x += 33;
    x += 34;
    x += 35;
    x += 36;
    x += 37;
    x += 38;
    x += 39;
    x += 40;
    x += 41;
    x += 42;
    x += 43;
    x += 44;
    x += 45;
    x += 46;
    x += 47;
    x += 48;
    x += 49;
    x += 50;
    x += 51;
    x += 52;
    x += 53;
    x += 54;
    x += 55;
    x += 56;
    x += 57;
    x += 58;
    x += 59;
    x += 60;
    x += 61;
    x += 62;
    x += 63;
    x += 64;
    x += 65;
    x += 66;
    x += 67;
    x += 68;
    x += 69;
    x += 70;
    x += 71;
    x += 72;
    x += 73;
    x += 74;
    x += 75;
    x += 76;
    x += 77;
    x += 78;
    x += 79;
    x += 80;
    x += 81;
    x += 82;
    x += 83;
    x += 84;
    x += 85;
    x += 86;
    x += 87;
    x += 88;
    x += 89;
    x += 90;
    x += 91;
    x += 92;
    x += 93;
    x += 94;
    x += 95;
    x += 96;
    x += 97;
    x += 98;
    x += 99;
    return x;
}

} // namespace canary
