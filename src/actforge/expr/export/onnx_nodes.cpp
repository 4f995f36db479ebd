#include "actforge/expr/export/onnx_nodes.h"

#include <charconv>

#include "actforge/base/error.h"
#include "actforge/expr/kernels/simd_coefficients.h"
#include "actforge/expr/language/print.h"

namespace actforge {

// Reads `Name[attribute=1,...](argument,...)`, {a}, {b} and numbers, and adds the nodes on the way.
class SpellingReader {
 public:
  SpellingReader(OnnxNodes& nodes, std::string_view text, const std::string& a, const std::string& b)
      : nodes_(nodes), text_(text), a_(a), b_(b) {}

  std::string term() {
    if (take("{a}")) return a_;
    if (take("{b}")) return b_;
    const std::string_view name = word();
    if (name.empty()) return nodes_.constant(number());
    OnnxNodes::Attributes attributes;
    if (take("[")) {
      do {
        const std::string key(word());
        expect("=");
        attributes.emplace_back(key, static_cast<float>(number()));
      } while (take(","));
      expect("]");
    }
    expect("(");
    std::vector<std::string> arguments;
    do {
      arguments.push_back(term());
    } while (take(","));
    expect(")");
    const bool is_onnx = name.front() >= 'A' && name.front() <= 'Z';
    return is_onnx ? nodes_.add(name, arguments, attributes) : nodes_.function(name, arguments[0]);
  }

  bool at_end() const { return text_.empty(); }

 private:
  bool take(std::string_view token) {
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token)) fail();
  }

  std::string_view word() {
    const auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    std::size_t size = 0;
    while (size < text_.size() && (is_part(text_[size]) || (size > 0 && text_[size] >= '0' && text_[size] <= '9'))) {
      ++size;
    }
    const std::string_view found = text_.substr(0, size);
    text_.remove_prefix(size);
    return found;
  }

  double number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc()) fail();
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return value;
  }

  [[noreturn]] void fail() const {
    throw Error(ErrorCode::kFailed, "operator table: cannot read the ONNX spelling at '" + std::string(text_) + "'");
  }

  OnnxNodes& nodes_;
  std::string_view text_;
  const std::string& a_;
  const std::string& b_;
};

std::string OnnxNodes::add(std::string_view type, const std::vector<std::string>& inputs,
                           const Attributes& attributes) {
  std::string key(type);
  for (const std::string& input : inputs) key += " " + input;
  for (const auto& [name, value] : attributes) key += " " + name + "=" + number_text(value);
  const auto [place, is_new] = made_.try_emplace(key, "v" + std::to_string(made_.size() + 1));
  if (!is_new) return place->second;
  onnx::NodeProto& node = *list_->Add();
  node.set_op_type(std::string(type));
  for (const std::string& input : inputs) node.add_input(input);
  node.add_output(place->second);
  for (const auto& [name, value] : attributes) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::FLOAT);
    attribute.set_f(value);
  }
  return place->second;
}

std::string OnnxNodes::constant(double value) {
  const std::string text = number_text(value);
  const auto [place, is_new] = made_.try_emplace("Constant " + text, "c" + std::to_string(made_.size() + 1));
  if (!is_new) return place->second;
  onnx::NodeProto& node = *list_->Add();
  node.set_op_type("Constant");
  node.add_output(place->second);
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name("value");
  attribute.set_type(onnx::AttributeProto::TENSOR);
  attribute.mutable_t()->set_data_type(onnx::TensorProto::FLOAT);
  attribute.mutable_t()->add_float_data(static_cast<float>(value));
  return place->second;
}

std::string OnnxNodes::nest(std::string_view pattern, const std::string& a, const std::string& b) {
  SpellingReader reader(*this, pattern, a, b);
  const std::string value = reader.term();
  if (!reader.at_end()) throw Error(ErrorCode::kFailed, "operator table: ONNX spelling goes on after its end");
  return value;
}

void OnnxNodes::finish(const std::string& value, const std::string& output) {
  if (list_->empty() || list_->rbegin()->output(0) != value) add("Identity", {value});
  list_->rbegin()->set_output(0, output);
}

std::string OnnxNodes::function(std::string_view name, const std::string& a) {
  if (name == "bessel_i0e") return bessel(0, a);
  if (name == "bessel_i1e") return bessel(1, a);
  if (name == "erfc") return erfc(a);
  throw Error(ErrorCode::kFailed, "operator table: no function '" + std::string(name) + "' for ONNX");
}

std::string OnnxNodes::polynomial(std::span<const float> coefficients, const std::string& a) {
  const auto number = [&](float value) { return constant(static_cast<double>(value)); };
  std::string total = number(coefficients.back());
  for (std::size_t i = coefficients.size() - 1; i-- > 0;) {
    total = add("Add", {add("Mul", {total, a}), number(coefficients[i])});
  }
  return total;
}

std::string OnnxNodes::ratio(std::span<const float> numerator, std::span<const float> denominator,
                             const std::string& a) {
  return add("Div", {polynomial(numerator, a), polynomial(denominator, a)});
}

// 1 - Erf(a) would lose all digits in the tail.
std::string OnnxNodes::erfc(const std::string& a) {
  const std::string magnitude = add("Min", {add("Abs", {a}), constant(30)});
  const std::string bell = add("Exp", {add("Neg", {add("Mul", {magnitude, magnitude})})});
  const std::string tail = add("Mul", {bell, ratio(kErfcP, kErfcQ, magnitude)});
  return add("Where", {add("Less", {a, constant(0)}), add("Sub", {constant(2), tail}), tail});
}

// As in the vector kernels: the root of a rational function up to 8192, the leading asymptotic form beyond.
std::string OnnxNodes::bessel(int order, const std::string& a) {
  const std::string magnitude = add("Abs", {a});
  const std::string is_far = add("Greater", {magnitude, constant(kBesselFar)});
  const std::string clipped = add("Min", {magnitude, constant(kBesselFar)});
  const std::string near = order == 0 ? ratio(kI0eP, kI0eQ, clipped) : ratio(kI1eP, kI1eQ, clipped);
  const std::string shifted = add("Add", {magnitude, constant(order == 0 ? -0.25 : 0.75)});
  const std::string far = add("Div", {constant(kBesselFarValue), shifted});
  const std::string root = add("Sqrt", {add("Where", {is_far, far, near})});
  return order == 0 ? root : add("Mul", {add("Where", {is_far, add("Sign", {a}), a}), root});
}

}  // namespace actforge
