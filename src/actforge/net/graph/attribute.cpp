#include "actforge/net/graph/attribute.h"

#include <charconv>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"

namespace actforge {
namespace {

constexpr std::string_view kTypeNames[] = {
    "true or false", "a whole number", "a number", "a word", "whole numbers joined by 'x'", "a function of x"};

[[noreturn]] void refuse(const AttributeRow& row, const std::string& why) {
  throw Error(ErrorCode::kBadInput, std::string(row.name) + " " + why);
}

[[noreturn]] void refuse_type(const AttributeRow& row, std::string_view text) {
  refuse(row,
         "takes " + std::string(kTypeNames[static_cast<std::size_t>(row.type)]) + ", not '" + std::string(text) + "'");
}

template <class Number>
Number parse_number(const AttributeRow& row, std::string_view text) {
  Number value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || stop != text.data() + text.size()) refuse_type(row, text);
  return value;
}

// What `read` gives; an error that it throws says which setting it is about.
template <class Read>
auto named(const AttributeRow& row, Read read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(error.code(), std::string(row.name) + ": " + error.what());
  }
}

void check_limits(const AttributeRow& row, double value) {
  if (!std::isfinite(value)) refuse(row, "must be a finite number");
  if (value >= row.least && value <= row.most) return;
  const std::string least = number_text(row.least), most = number_text(row.most);
  refuse(row, row.most < 1e300 ? "must be from " + least + " to " + most + ", not " + number_text(value)
                               : "must be at least " + least + ", not " + number_text(value));
}

struct TextOf {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return number_text(value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const Shape& value) const { return shape_text(value); }
  std::string operator()(const Expr& value) const { return to_call(value); }
};

}  // namespace

AttributeValue parse_attribute(const AttributeRow& row, std::string_view text) {
  switch (row.type) {
    case AttributeType::kFlag:
      if (text != "true" && text != "false") refuse_type(row, text);
      return checked_attribute(row, text == "true");
    case AttributeType::kInteger: return checked_attribute(row, parse_number<std::int64_t>(row, text));
    case AttributeType::kNumber: return checked_attribute(row, parse_number<double>(row, text));
    case AttributeType::kWord: return checked_attribute(row, std::string(text));
    case AttributeType::kExtents: return checked_attribute(row, named(row, [&] { return parse_shape(text); }));
    case AttributeType::kFunction: return checked_attribute(row, named(row, [&] { return parse(text); }));
  }
  refuse_type(row, text);
}

std::string attribute_text(const AttributeValue& value) { return std::visit(TextOf(), value); }

AttributeValue checked_attribute(const AttributeRow& row, AttributeValue value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    const std::int64_t number = *whole;
    if (row.type == AttributeType::kNumber) value = static_cast<double>(number);
    if (row.type == AttributeType::kExtents) value = Shape{number};
    if (row.type == AttributeType::kWord) value = std::to_string(number);  // padding=1
  }
  if (value.index() != static_cast<std::size_t>(row.type)) refuse_type(row, attribute_text(value));
  if (const auto* number = std::get_if<std::int64_t>(&value)) check_limits(row, static_cast<double>(*number));
  if (const auto* number = std::get_if<double>(&value)) check_limits(row, *number);
  if (const auto* extents = std::get_if<Shape>(&value)) {
    if (extents->empty() || extents->size() > kMaxRank) refuse(row, "takes one to eight numbers");
    for (const std::int64_t extent : *extents) check_limits(row, static_cast<double>(extent));
  }
  return value;
}

}  // namespace actforge
