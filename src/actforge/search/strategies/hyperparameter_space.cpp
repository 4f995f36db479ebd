#include "actforge/search/strategies/hyperparameter_space.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "actforge/base/error.h"
#include "actforge/base/find_named.h"
#include "actforge/base/option_field.h"

namespace actforge {

struct Scale {
  std::string_view name;
  // From 0..1 to a number between the bounds, and back.
  double (*value)(const HyperparameterRange& range, double place);
  double (*place)(const HyperparameterRange& range, double value);
  bool whole = false;
};

namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw Error(ErrorCode::kUsage, "--with '" + std::string(text) + "': " + why);
}

// Each whole number has an equal part of the scale.
double whole_value(const HyperparameterRange& range, double place) {
  return std::min(range.most, range.least + std::floor(place * (range.most - range.least + 1)));
}

constexpr Scale kScales[] = {
    {.name = "log",
     .value = [](const HyperparameterRange& r, double place) { return r.least * std::pow(r.most / r.least, place); },
     .place = [](const HyperparameterRange& r,
                 double value) { return std::log(value / r.least) / std::log(r.most / r.least); }},
    {.name = "lin",
     .value = [](const HyperparameterRange& r, double place) { return r.least + place * (r.most - r.least); },
     .place = [](const HyperparameterRange& r, double value) { return (value - r.least) / (r.most - r.least); }},
    {.name = "int",
     .value = whole_value,
     .place = [](const HyperparameterRange& r,
                 double value) { return (value - r.least + 0.5) / (r.most - r.least + 1); },
     .whole = true},
};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// At commas, but not those between braces.
std::vector<std::string_view> split_ranges(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  bool inside = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size()) inside = text[i] == '{' || (inside && text[i] != '}');
    if (i < text.size() && (text[i] != ',' || inside)) continue;
    if (const std::string_view part = trimmed(text.substr(begin, i - begin)); !part.empty()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

// Keys of trials, placeholders and lists are made of these.
bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.' || c == '+';
  });
}

bool is_name(std::string_view text) { return is_word(text) && text[0] >= 'a' && text[0] <= 'z'; }

std::vector<std::string> read_choices(std::string_view text, std::string_view list) {
  if (!list.ends_with('}')) refuse(text, "the list of choices has no '}'");
  std::vector<std::string> choices;
  for (const std::string_view choice : split_ranges(list.substr(1, list.size() - 2))) {
    if (!is_word(choice)) refuse(text, "'" + std::string(choice) + "' is no number and no word");
    if (std::ranges::find(choices, choice) != choices.end()) {
      refuse(text, "'" + std::string(choice) + "' stands there twice");
    }
    choices.emplace_back(choice);
  }
  if (choices.size() < 2) refuse(text, "there is no choice; name two values at least");
  return choices;
}

double read_bound(std::string_view text, std::string_view number) {
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size() || !std::isfinite(value)) {
    refuse(text, "'" + std::string(number) + "' is not a number");
  }
  return value;
}

void read_scale(std::string_view text, std::string_view scale, HyperparameterRange& range) {
  constexpr std::string_view kDots = "..";
  const std::size_t colon = scale.find(':');
  const std::size_t dots = colon == std::string_view::npos ? colon : scale.find(kDots, colon);
  if (dots == std::string_view::npos) {
    refuse(text, "write name=log:1e-3..0.3, name=lin:0..0.9, name=int:1..10 or name={a,b,c}");
  }
  range.scale = &find_named(kScales, trimmed(scale.substr(0, colon)), "scale");
  range.least = read_bound(text, trimmed(scale.substr(colon + 1, dots - colon - 1)));
  range.most = read_bound(text, trimmed(scale.substr(dots + kDots.size())));
  if (!(range.least < range.most)) refuse(text, "the first number must be less than the second");
  if (range.scale->name == "log" && range.least <= 0) refuse(text, "a log scale begins above 0");
  constexpr double kMostWhole = 1e9;
  const bool is_whole = range.least == std::floor(range.least) && range.most == std::floor(range.most) &&
                        std::fabs(range.least) <= kMostWhole && std::fabs(range.most) <= kMostWhole;
  if (range.scale->whole && !is_whole) refuse(text, "int takes whole numbers");
}

HyperparameterRange read_range(std::string_view text) {
  const std::size_t equals = text.find('=');
  HyperparameterRange range = {.name = std::string(trimmed(text.substr(0, equals)))};
  if (!is_name(range.name)) refuse(text, "a name begins with a small letter, and has letters, digits, - and _");
  const std::string_view values = equals == std::string_view::npos ? "" : trimmed(text.substr(equals + 1));
  if (values.starts_with('{')) {
    range.choices = read_choices(text, values);
  } else {
    read_scale(text, values, range);
  }
  return range;
}

// Four digits: nobody needs to know a learning rate better, and people have to read it.
std::string short_text(const HyperparameterRange& range, double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4);
  std::from_chars(text.data(), end.ptr, value);
  return option_text(std::clamp(value, range.least, range.most));
}

std::string text_at(const HyperparameterRange& range, double place) {
  const double value = std::clamp(range.scale->value(range, place), range.least, range.most);
  return range.scale->whole ? std::to_string(static_cast<std::int64_t>(value)) : short_text(range, value);
}

// The middle for what is no number.
double place_of(const HyperparameterRange& range, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return 0.5;
  return std::clamp(range.scale->place(range, std::clamp(value, range.least, range.most)), 0.0, 1.0);
}

std::string draw_one(const HyperparameterRange& range, Random& random) {
  return range.scale == nullptr ? range.choices[random.below(range.choices.size())] : text_at(range, random.uniform());
}

// Turned back at 0 and 1.
double folded(double place) {
  place = std::fmod(std::fabs(place), 2.0);
  return place > 1 ? 2 - place : place;
}

std::string mutate_one(const HyperparameterRange& range, const std::string& parent, Random& random) {
  constexpr double kStep = 0.1, kOther = 0.25;
  if (range.scale == nullptr) return random.uniform() < kOther ? draw_one(range, random) : parent;
  const double step = kStep * random.normal(), place = place_of(range, parent);
  std::string text = text_at(range, folded(place + step));
  if (!range.scale->whole || text != parent) return text;
  // A short scale has steps longer than that, and at its end there is only one way.
  const double one = std::copysign(1 / (range.most - range.least + 1), step);
  text = text_at(range, folded(place + one));
  return text != parent ? text : text_at(range, folded(place - one));
}

}  // namespace

HyperparameterSpace HyperparameterSpace::parse(std::string_view text) {
  HyperparameterSpace space;
  for (const std::string_view part : split_ranges(text)) {
    HyperparameterRange range = read_range(part);
    if (std::ranges::find(space.ranges_, range.name, &HyperparameterRange::name) != space.ranges_.end()) {
      refuse(part, "'" + range.name + "' is there twice");
    }
    space.ranges_.push_back(std::move(range));
  }
  std::ranges::sort(space.ranges_, {}, &HyperparameterRange::name);
  return space;
}

std::string HyperparameterSpace::text() const {
  std::string text;
  for (const HyperparameterRange& range : ranges_) {
    text += (text.empty() ? "" : ", ") + range.name + "=";
    if (range.scale != nullptr) {
      text += std::string(range.scale->name) + ":" + option_text(range.least) + ".." + option_text(range.most);
      continue;
    }
    for (const std::string& choice : range.choices) text += (&choice == range.choices.data() ? "{" : ",") + choice;
    text += '}';
  }
  return text;
}

Hyperparameters HyperparameterSpace::middle() const { return completed({}); }

Hyperparameters HyperparameterSpace::completed(Hyperparameters values) const {
  for (const HyperparameterRange& range : ranges_) {
    values.try_emplace(range.name, range.scale == nullptr ? range.choices[0] : text_at(range, 0.5));
  }
  return values;
}

Hyperparameters HyperparameterSpace::draw(Random& random) const {
  Hyperparameters values;
  for (const HyperparameterRange& range : ranges_) values[range.name] = draw_one(range, random);
  return values;
}

Hyperparameters HyperparameterSpace::mutate(const Hyperparameters& parent, Random& random) const {
  const Hyperparameters from = completed(parent);
  Hyperparameters values;
  for (const HyperparameterRange& range : ranges_) {
    values[range.name] = mutate_one(range, from.at(range.name), random);
  }
  return values;
}

Hyperparameters HyperparameterSpace::cross(const Hyperparameters& first, const Hyperparameters& second,
                                           Random& random) const {
  const Hyperparameters a = completed(first), b = completed(second);
  Hyperparameters values;
  for (const HyperparameterRange& range : ranges_) {
    values[range.name] = (random.below(2) == 0 ? a : b).at(range.name);
  }
  return values;
}

std::vector<float> HyperparameterSpace::coordinates(const Hyperparameters& values) const {
  const Hyperparameters all = completed(values);
  std::vector<float> places;
  for (const HyperparameterRange& range : ranges_) {
    const std::string& value = all.at(range.name);
    if (range.scale != nullptr) places.push_back(static_cast<float>(place_of(range, value)));
    // Two of these differ in two coordinates.
    for (const std::string& choice : range.choices) {
      places.push_back(choice == value ? 1 / std::numbers::sqrt2_v<float> : 0);
    }
  }
  return places;
}

std::size_t HyperparameterSpace::dimensions() const {
  std::size_t count = 0;
  for (const HyperparameterRange& range : ranges_) count += range.scale != nullptr ? 1 : range.choices.size();
  return count;
}

}  // namespace actforge
