// SPDX-License-Identifier: MIT
// Badly formatted on purpose: packaging/checks.sh expects clang-format to refuse it.
int   canaryFormat( int value ){return value+1 ;}
