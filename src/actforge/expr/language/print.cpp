#include "actforge/expr/language/print.h"

#include <array>
#include <cmath>

#include "actforge/expr/language/template_text.h"

namespace actforge {

std::string parameter_text(const Parameter& parameter) {
  const Parameter usual{.index = parameter.index};
  std::string text = parameter_name(parameter.index);
  if (parameter == usual) return text;
  text += "[" + number_text(parameter.initial);
  if (parameter.scope != usual.scope) text += "," + std::string(scope_name(parameter.scope));
  return text + "]";
}

namespace {

// How tightly the text of a node holds together; a looser child needs parentheses.
enum Tightness { kSum = 1, kProduct = 2, kSigned = 3, kPower = 4, kAtom = 5 };

struct Piece {
  std::string text;
  Tightness tightness;
};

std::string joined(const Expr& expr, NodeId id, std::string_view separator, auto&& print) {
  std::string text;
  for (const NodeId child : expr.children(id)) text += (text.empty() ? "" : std::string(separator)) + print(child);
  return text;
}

std::string call(const Expr& expr, NodeId id) {
  const Node& node = expr.node(id);
  const auto arguments = [&] { return "(" + joined(expr, id, ",", [&](NodeId c) { return call(expr, c); }) + ")"; };
  switch (node.kind) {
    case NodeKind::kInput: return "x";
    case NodeKind::kConstant: return number_text(node.constant);
    case NodeKind::kParameter: return parameter_text(expr.parameter(node.parameter)) + arguments();
    case NodeKind::kOperator: return std::string(op_info(node.op).name) + arguments();
  }
  return {};
}

// What infix and LaTeX have in common.
class Printer {
 public:
  Printer(const Expr& expr, std::string open, std::string close)
      : expr_(expr), open_(std::move(open)), close_(std::move(close)) {}
  virtual ~Printer() = default;

  Piece print(NodeId id) const {
    const Node& node = expr_.node(id);
    switch (node.kind) {
      case NodeKind::kInput: return {"x", kAtom};
      case NodeKind::kConstant: return constant(node.constant);
      case NodeKind::kParameter: return parameter(id);
      case NodeKind::kOperator: return operation(id);
    }
    return {{}, kAtom};
  }

 protected:
  virtual Piece constant(double value) const = 0;
  virtual Piece parameter(NodeId id) const = 0;
  virtual Piece operation(NodeId id) const = 0;

  std::string at_least(NodeId id, Tightness wanted) const {
    const Piece piece = print(id);
    return piece.tightness >= wanted ? piece.text : open_ + piece.text + close_;
  }

  const Expr& expr_;

 private:
  std::string open_, close_;
};

class Infix : public Printer {
 public:
  explicit Infix(const Expr& expr) : Printer(expr, "(", ")") {}

 private:
  Piece constant(double value) const override {
    const std::string text = number_text(value);
    return {text, text.front() == '-' ? kSigned : kAtom};
  }

  Piece parameter(NodeId id) const override {
    const std::string name = parameter_text(expr_.parameter(expr_.node(id).parameter));
    const NodeId child = expr_.children(id)[0];
    // alpha(1) keeps its call form: a bare alpha would swallow the next factor.
    if (expr_.node(child).kind == NodeKind::kConstant) return {name + "(" + print(child).text + ")", kAtom};
    return {name + "*" + at_least(child, kPower), kProduct};
  }

  bool is_constant(NodeId id) const { return expr_.node(id).kind == NodeKind::kConstant; }

  Piece operation(NodeId id) const override {
    const auto children = expr_.children(id);
    switch (expr_.node(id).op) {
      case Op::kNegative:
        // -(2) is the negative of the number 2, -2 the number.
        return {"-" + (is_constant(children[0]) ? "(" + print(children[0]).text + ")" : at_least(children[0], kPower)),
                kSigned};
      case Op::kAdd: return {at_least(children[0], kSum) + " + " + at_least(children[1], kProduct), kSum};
      case Op::kSub: return {at_least(children[0], kSum) + " - " + at_least(children[1], kProduct), kSum};
      case Op::kMul: return {factor(children[0]) + "*" + at_least(children[1], kSigned), kProduct};
      case Op::kDiv: return {factor(children[0]) + "/" + at_least(children[1], kSigned), kProduct};
      case Op::kPow: return {at_least(children[0], kAtom) + "^" + at_least(children[1], kPower), kPower};
      default: break;
    }
    return {std::string(op_info(expr_.node(id).op).name) + "(" +
                joined(expr_, id, ", ", [&](NodeId c) { return print(c).text; }) + ")",
            kAtom};
  }

  // The left side of a product. `alpha*x` may stand there bare, and so may another product.
  std::string factor(NodeId id) const { return at_least(id, kProduct); }
};

class Latex : public Printer {
 public:
  explicit Latex(const Expr& expr) : Printer(expr, "\\left(", "\\right)") {}

 private:
  Piece constant(double value) const override {
    if (std::isnan(value)) return {"\\mathrm{NaN}", kAtom};
    if (std::isinf(value)) return value > 0 ? Piece{"\\infty", kAtom} : Piece{"-\\infty", kSigned};
    std::string text = number_text(value);
    if (const auto e = text.find('e'); e != std::string::npos) {
      text = text.substr(0, e) + " \\cdot 10^{" + std::to_string(std::stoi(text.substr(e + 1))) + "}";
      return {text, kProduct};
    }
    return {text, text.front() == '-' ? kSigned : kAtom};
  }

  Piece parameter(NodeId id) const override {
    const std::uint32_t index = expr_.node(id).parameter;
    constexpr std::array<std::string_view, 3> kGreek = {"\\alpha", "\\beta", "\\gamma"};
    const std::string name =
        index < kGreek.size() ? std::string(kGreek[index]) : "\\theta_{" + std::to_string(index) + "}";
    const NodeId child = expr_.children(id)[0];
    const Node& inner = expr_.node(child);
    if (inner.kind == NodeKind::kConstant && inner.constant == 1) return {name, kAtom};
    return {name + " " + at_least(child, inner.kind == NodeKind::kConstant ? kAtom : kPower), kProduct};
  }

  Piece operation(NodeId id) const override {
    const Op op = expr_.node(id).op;
    switch (op) {
      case Op::kSumN: return chain(id, " + ", kSum);
      case Op::kProdN: return chain(id, " \\cdot ", kProduct);
      case Op::kMaxN: return list(id, "\\max");
      case Op::kMinN: return list(id, "\\min");
      default: return fixed(id, op_info(op).spelling.latex);
    }
  }

  Piece fixed(NodeId id, std::string_view pattern) const {
    const Op op = expr_.node(id).op;
    Tightness own = kAtom, left = kSum, right = kSum;
    switch (op) {
      case Op::kAdd: own = kSum; break;
      case Op::kSub: own = kSum, right = kProduct; break;
      case Op::kMul: own = kProduct, left = kProduct, right = kPower; break;
      case Op::kNegative: own = kSigned, left = kPower; break;
      case Op::kIdentity: return print(expr_.children(id)[0]);
      case Op::kDiv:
      case Op::kDivNoNan:
      case Op::kDivEps:
      case Op::kPow:
      case Op::kSquare:
      case Op::kCube:
      case Op::kReciprocal:
      case Op::kExp:
      case Op::kGauss: own = kPower; break;
      default: break;
    }
    const auto children = expr_.children(id);
    return {fill_template(pattern,
                          [&](std::string_view key) -> std::string {
                            if (key == "a") return at_least(children[0], left);
                            if (key == "A") return at_least(children[0], kAtom);
                            return at_least(children[1], right);
                          }),
            own};
  }

  Piece chain(NodeId id, std::string_view separator, Tightness own) const {
    if (expr_.children(id).size() == 1) return print(expr_.children(id)[0]);
    return {joined(expr_, id, separator, [&](NodeId c) { return at_least(c, own == kSum ? kProduct : kPower); }), own};
  }

  Piece list(NodeId id, std::string_view name) const {
    return {std::string(name) + "\\left\\{" + joined(expr_, id, ", ", [&](NodeId c) { return print(c).text; }) +
                "\\right\\}",
            kAtom};
  }
};

}  // namespace

std::string to_call(const Expr& expr) { return call(expr, expr.root()); }
std::string to_infix(const Expr& expr) { return Infix(expr).print(expr.root()).text; }
std::string to_latex(const Expr& expr) { return Latex(expr).print(expr.root()).text; }

}  // namespace actforge
