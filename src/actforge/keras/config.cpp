#include "actforge/keras/config.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/error.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

[[noreturn]] void refuse_type(std::string_view what, std::string_view wanted, const KerasJson& json) {
  const std::string given =
      json.is_structured() ? json.type_name() : json.dump(-1, ' ', true, KerasJson::error_handler_t::replace);
  refuse("'" + std::string(what) + "' should be " + std::string(wanted) + ", not " + given.substr(0, 40));
}

[[noreturn]] void refuse_missing(std::string_view key) { refuse("'" + std::string(key) + "' is missing"); }

}  // namespace

std::int64_t keras_integer(const KerasJson& json, std::string_view what) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  if (json.is_number_float()) {
    const double value = json.get<double>();
    if (std::fabs(value) <= static_cast<double>(kMost) && value == std::floor(value)) {
      return static_cast<std::int64_t>(value);
    }
  }
  if (!json.is_number_integer() || (json.is_number_unsigned() && json.get<std::uint64_t>() > kMost) ||
      json.get<std::int64_t>() > kMost || json.get<std::int64_t>() < -kMost) {
    refuse_type(what, "a whole number", json);
  }
  return json.get<std::int64_t>();
}

double keras_number(const KerasJson& json, std::string_view what) {
  if (!json.is_number()) refuse_type(what, "a number", json);
  return json.get<double>();
}

std::string keras_text(const KerasJson& json, std::string_view what) {
  if (!json.is_string()) refuse_type(what, "a text", json);
  return json.get<std::string>();
}

Shape short_extents(const Shape& extents) {
  const bool equal = std::all_of(extents.begin(), extents.end(), [&](std::int64_t e) { return e == extents[0]; });
  return equal && !extents.empty() ? Shape{extents[0]} : extents;
}

KerasConfig::KerasConfig(const KerasJson& object) : object_(&object) {
  if (!object.is_object()) refuse_type("config", "an object", object);
}

const KerasJson* KerasConfig::find(std::string_view key) const {
  const auto found = object_->find(std::string(key));
  return found == object_->end() || found->is_null() ? nullptr : &*found;
}

std::int64_t KerasConfig::integer(std::string_view key, std::optional<std::int64_t> otherwise) const {
  const KerasJson* json = find(key);
  if (json != nullptr) return keras_integer(*json, key);
  if (!otherwise) refuse_missing(key);
  return *otherwise;
}

double KerasConfig::number(std::string_view key, std::optional<double> otherwise) const {
  const KerasJson* json = find(key);
  if (json != nullptr) return keras_number(*json, key);
  if (!otherwise) refuse_missing(key);
  return *otherwise;
}

bool KerasConfig::flag(std::string_view key, bool otherwise) const {
  const KerasJson* json = find(key);
  if (json == nullptr) return otherwise;
  if (!json->is_boolean()) refuse_type(key, "true or false", *json);
  return json->get<bool>();
}

std::string KerasConfig::text(std::string_view key, std::optional<std::string> otherwise) const {
  const KerasJson* json = find(key);
  if (json != nullptr) return keras_text(*json, key);
  if (!otherwise) refuse_missing(key);
  return *otherwise;
}

Shape KerasConfig::extents(std::string_view key, std::size_t count, std::optional<std::int64_t> otherwise) const {
  const bool is_given = find(key) != nullptr;
  if (!is_given && !otherwise) refuse_missing(key);
  Shape given = otherwise && !is_given ? Shape{*otherwise} : list(key);
  if (given.size() == count) return given;
  if (given.size() != 1) {
    refuse("'" + std::string(key) + "' should have " + std::to_string(count) + " numbers, not " +
           std::to_string(given.size()));
  }
  return Shape(count, given[0]);
}

Shape KerasConfig::list(std::string_view key, const Shape& otherwise) const {
  const KerasJson* json = find(key);
  if (json == nullptr) return otherwise;
  if (!json->is_array()) return {keras_integer(*json, key)};
  if (json->size() > kMaxRank + 1) refuse("'" + std::string(key) + "' has too many numbers");
  Shape numbers;
  for (const KerasJson& number : *json) numbers.push_back(keras_integer(number, key));
  return numbers;
}

}  // namespace actforge
