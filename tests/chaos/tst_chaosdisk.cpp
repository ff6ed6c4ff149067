// SPDX-License-Identifier: MIT
class Nothing;
int main() { return 0; }
