// scripts/lint has clang include this before every source that includes LibTorch; nothing is built with it.
//
// LibTorch copies and destroys std::vector<c10::IValue> where IValue is incomplete. g++ instantiates the members of
// that vector at the end of the file; clang does so at once where they are constexpr, as libstdc++ makes them in C++20,
// and stops: "arithmetic on a pointer to an incomplete type 'c10::IValue'". So this gives clang a vector whose members
// are not constexpr, and everything else as it is.
#pragma once

#include <memory>  // this and <string>: all that <vector> includes, which stays constexpr
#include <string>

#pragma push_macro("_GLIBCXX20_CONSTEXPR")
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
#define __fill_a1 __fill_bits  // declared, constexpr, outside <vector>, which defines it
#include <vector>
#undef __fill_a1
#pragma pop_macro("_GLIBCXX20_CONSTEXPR")
