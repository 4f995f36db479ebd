#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "actforge/expr/language/expr.h"
#include "actforge/net/graph/shape.h"

namespace actforge {

enum class AttributeType : std::uint8_t { kFlag, kInteger, kNumber, kWord, kExtents, kFunction };

// Held as: bool, int64, double, string, Shape, Expr, in the order of AttributeType.
using AttributeValue = std::variant<bool, std::int64_t, double, std::string, Shape, Expr>;

// One setting of a kind of layer.
struct AttributeRow {
  std::string_view name;
  AttributeType type;
  std::string_view default_text;  // empty: it must be given
  std::string_view help;
  double least = -1e300;  // of integers, numbers and extents
  double most = 1e300;
};

// From its text form, `3`, `true`, `same`, `3x3`, `relu(x)`. Throws Error (kBadInput) that names the attribute.
AttributeValue parse_attribute(const AttributeRow& row, std::string_view text);
std::string attribute_text(const AttributeValue& value);

// The value as the type that the row asks for, within its limits: whole numbers serve as numbers and as extents.
// Throws Error (kBadInput).
AttributeValue checked_attribute(const AttributeRow& row, AttributeValue value);

}  // namespace actforge
