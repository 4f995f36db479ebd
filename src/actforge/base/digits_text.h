#pragma once

#include <string>

namespace actforge {

// Numbers for people, as printf writes them whatever the locale is: at most so many significant digits (%g), so many
// after the point (%f), and the same with an exponent (%e).
std::string with_digits(double value, int digits);
std::string with_decimals(double value, int digits);
std::string with_exponent(double value, int digits);

}  // namespace actforge
