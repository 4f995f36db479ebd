#pragma once

#include <string>

namespace actforge {

// "90", "90s", "15m", "1h30m", "2d": seconds. Throws Error (kUsage).
double read_duration(const std::string& text);
// The other way, for people: "45 s", "3 min 20 s", "1 h 30 min", "2 d 4 h".
std::string duration_text(double seconds);

}  // namespace actforge
