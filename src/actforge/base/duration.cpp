#include "actforge/base/duration.h"

#include <charconv>
#include <cmath>

#include "actforge/base/error.h"

namespace actforge {
namespace {

struct Unit {
  char letter;
  const char* text;
  double seconds;
};
constexpr Unit kUnits[] = {{'d', "d", 86400}, {'h', "h", 3600}, {'m', "min", 60}, {'s', "s", 1}};

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::kUsage, "'" + text + "' is not a time; write 90s, 15m, 1h30m or 2d");
}

double unit_seconds(char letter, const std::string& text) {
  for (const Unit& unit : kUnits) {
    if (unit.letter == letter) return unit.seconds;
  }
  refuse(text);
}

}  // namespace

double read_duration(const std::string& text) {
  double sum = 0;
  const char *at = text.data(), *end = at + text.size();
  if (text.empty()) refuse(text);
  while (at != end) {
    double value = 0;
    const auto [stop, error] = std::from_chars(at, end, value, std::chars_format::fixed);
    const bool is_plain = *at != '-' && error == std::errc() && std::isfinite(value);
    const bool is_last = stop == end;
    // A number alone is seconds; "1h30" would be ambiguous.
    if (!is_plain || (is_last && at != text.data())) refuse(text);
    sum += value * (is_last ? 1 : unit_seconds(*stop, text));
    at = is_last ? end : stop + 1;
  }
  if (!(sum <= 1e9)) refuse(text);
  return sum;
}

std::string duration_text(double seconds) {
  if (!(seconds >= 0 && seconds < 1e15)) return "?";  // not a time, or too long to print
  double rest = std::round(seconds);
  std::string text;
  int parts = 0;
  for (const Unit& unit : kUnits) {
    const double count = std::floor(rest / unit.seconds);
    rest -= count * unit.seconds;
    if (count > 0 || (unit.letter == 's' && text.empty())) {
      text += (text.empty() ? "" : " ") + std::to_string(static_cast<long long>(count)) + " " + unit.text;
      ++parts;
    } else if (parts == 1) {
      break;  // "2 d" rather than "2 d 3 min"
    }
    if (parts == 2) break;
  }
  return text;
}

}  // namespace actforge
