#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "actforge/net/graph/shape.h"

namespace actforge {

using KerasJson = nlohmann::ordered_json;

// Numbers and texts of a file, checked. All throw Error (kBadInput) that names `what`.
std::int64_t keras_integer(const KerasJson& json, std::string_view what);
double keras_number(const KerasJson& json, std::string_view what);
std::string keras_text(const KerasJson& json, std::string_view what);

// One number where all are equal, as the text form of a network writes it.
Shape short_extents(const Shape& extents);

// The settings of a Keras layer: an object whose values may be of any type at all. A key that is missing or null has
// the value that is given with it; without one, and for a value of the wrong type, an Error (kBadInput) names the key.
class KerasConfig {
 public:
  explicit KerasConfig(const KerasJson& object);

  const KerasJson& json() const { return *object_; }
  // Null where it is missing or null.
  const KerasJson* find(std::string_view key) const;

  std::int64_t integer(std::string_view key, std::optional<std::int64_t> otherwise = {}) const;
  double number(std::string_view key, std::optional<double> otherwise = {}) const;
  bool flag(std::string_view key, bool otherwise) const;
  std::string text(std::string_view key, std::optional<std::string> otherwise = {}) const;
  // A list of that many numbers; a number alone stands for all of them.
  Shape extents(std::string_view key, std::size_t count, std::optional<std::int64_t> otherwise = {}) const;
  // One number or a list of them, as axes are given.
  Shape list(std::string_view key, const Shape& otherwise = {}) const;

 private:
  const KerasJson* object_;
};

}  // namespace actforge
