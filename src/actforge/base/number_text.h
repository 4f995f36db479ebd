#pragma once

#include <string>

namespace actforge {

// The shortest text that reads back to the same number.
std::string number_text(double value);

}  // namespace actforge
