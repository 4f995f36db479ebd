#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <string>

#include "actforge/base/random.h"

namespace actforge {

// Spaces are large: S_3 of CAFE holds 3456^7 functions, more than 64 bits can count.
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;

// Uniform over 0 .. bound-1, without bias; bound > 0.
Integer random_below(Random& random, const Integer& bound);

// "10,339,202,744,514"
std::string with_commas(const Integer& number);

}  // namespace actforge
