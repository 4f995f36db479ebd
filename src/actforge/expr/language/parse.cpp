#include "actforge/expr/language/parse.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/expr/language/alias.h"

namespace actforge {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::optional<std::uint32_t> parameter_index(std::string_view name) {
  for (std::uint32_t index = 0; index < 3; ++index) {
    if (name == parameter_name(index)) return index;
  }
  constexpr std::string_view kPrefix = "param_";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  const std::string_view digits = name.substr(kPrefix.size());
  std::uint32_t index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return index;
}

// Recursive descent:
//   sum     = product { (+|-) product }
//   product = signed { (*|/) signed }
//   signed  = (-|+) signed | power
//   power   = primary [ (^|**) signed ]
//   primary = number | x | inf | nan | name [settings] ( "(" sum {"," sum} ")" ) | "(" sum ")"
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {
    if (text.size() > kMaxTextLength) fail("the expression is longer than 1 MiB", kMaxTextLength);
  }

  Expr run() {
    sum();
    skip_spaces();
    if (at_ < text_.size()) fail_here("unexpected '" + printable(text_[at_]) + "'");
    return builder_.finish();
  }

 private:
  // Whether `alpha * e` may be read as a parameter on the edge from e: not where the reader would group otherwise,
  // as in a/alpha*e and a^alpha*e.
  enum class Absorb { kYes, kNo };

  NodeId sum() {
    NodeId left = product();
    for (;;) {
      if (take('+')) {
        left = binary(Op::kAdd, left, product());
      } else if (take('-')) {
        left = binary(Op::kSub, left, product());
      } else {
        return left;
      }
    }
  }

  NodeId product() {
    NodeId left = signed_factor(Absorb::kYes);
    for (;;) {
      if (take_times()) {
        left = binary(Op::kMul, left, signed_factor(Absorb::kYes));
      } else if (take('/')) {
        left = binary(Op::kDiv, left, signed_factor(Absorb::kNo));
      } else {
        return left;
      }
    }
  }

  NodeId signed_factor(Absorb absorb) {
    const Nesting nesting(*this);
    if (take('+')) return signed_factor(absorb);
    if (!take('-')) return power(absorb);
    // -2 is a number, but -2^x is the negative of 2^x.
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.' || starts_word("inf"))) {
      const std::size_t begin = at_;
      const double value = starts_word("inf") ? infinity() : number();
      if (!peek_power()) return constant(-value);
      at_ = begin;
    }
    const std::size_t begin = at_;
    return apply(Op::kNegative, {signed_factor(absorb)}, begin);
  }

  NodeId power(Absorb absorb) {
    const NodeId base = primary(absorb);
    if (!peek_power()) return base;
    at_ += text_[at_] == '^' ? 1 : 2;
    return binary(Op::kPow, base, signed_factor(Absorb::kNo));
  }

  NodeId primary(Absorb absorb) {
    const Nesting nesting(*this);
    skip_spaces();
    if (at_ == text_.size()) fail_here("the expression ends too early");
    const char c = text_[at_];
    if (is_digit(c) || c == '.') return constant(number());
    if (take('(')) {
      const NodeId inner = sum();
      expect(')');
      return inner;
    }
    if (is_letter(c)) return name(absorb);
    fail_here("unexpected '" + printable(c) + "'");
  }

  NodeId name(Absorb absorb) {
    const std::size_t begin = at_;
    const std::string_view word = take_word();
    if (word == "x") return guarded(begin, [&] { return builder_.input(); });
    if (word == "inf") return constant(infinity(word));
    if (word == "nan") return constant(std::numeric_limits<double>::quiet_NaN());
    if (const auto index = parameter_index(word)) return parameter(*index, begin, absorb);
    const OpInfo* info = find_op(word);
    const AliasMeaning alias = info == nullptr ? alias_meaning(word) : AliasMeaning{.op = info};
    if (!alias.refusal.empty()) {
      fail("'" + std::string(word) + "' cannot be used here", begin, ": " + std::string(alias.refusal));
    }
    if (alias.op == nullptr && alias.body == nullptr) {
      const std::string last = name_after_dots();
      fail("unknown operator '" + shortened(word) + "'", begin,
           last.empty() ? did_you_mean(lowered(word), function_names())
                        : "; operators stand without a module: " + nearest_or_own(last));
    }
    if (!take('(')) fail("operator '" + std::string(word) + "' needs arguments in parentheses", begin);
    if (alias.body != nullptr) return expand(word, *alias.body, begin);
    info = alias.op;
    std::vector<NodeId> children = {sum()};
    while (take(',')) children.push_back(sum());
    expect(')');
    return apply(info->op, children, begin);
  }

  // Of "F.silu" and "torch.nn.functional.silu", whose first word has been read, the last one; else nothing.
  std::string name_after_dots() const {
    std::size_t at = at_, begin = at_;
    while (at + 1 < text_.size() && text_[at] == '.' && is_letter(text_[at + 1])) {
      begin = ++at;
      while (at < text_.size() && (is_letter(text_[at]) || is_digit(text_[at]))) ++at;
    }
    return lowered(text_.substr(begin, at - begin));
  }

  static std::string nearest_or_own(const std::string& word) {
    const std::string near = nearest_name(word, function_names());
    return (near.empty() ? shortened(word) : near) + "(x)";
  }

  // An alias of an expression. Nodes form a tree, so its argument is read again for every x of the body.
  NodeId expand(std::string_view word, const Expr& body, std::size_t begin) {
    const std::size_t argument = at_;
    std::vector<NodeId> made, children;
    for (NodeId id = 0; id < body.nodes().size(); ++id) {
      const Node& node = body.node(id);
      if (node.kind == NodeKind::kInput) {
        at_ = argument;
        made.push_back(sum());
      } else if (node.kind == NodeKind::kConstant) {
        made.push_back(constant(node.constant));
      } else {
        children.clear();
        for (const NodeId child : body.children(id)) children.push_back(made[child]);
        made.push_back(apply(node.op, children, begin));
      }
    }
    if (peek(',')) fail_here("'" + std::string(word) + "' takes 1 argument; its numbers are the framework's defaults");
    expect(')');
    return made.back();
  }

  NodeId parameter(std::uint32_t index, std::size_t begin, Absorb absorb) {
    Parameter parameter{.index = index};
    const bool has_settings = take('[');
    if (has_settings) settings(parameter);
    NodeId child = 0;
    if (take('(')) {
      child = sum();
      expect(')');
    } else if (absorb == Absorb::kYes && take_times()) {
      child = signed_factor(Absorb::kYes);
    } else {
      child = constant(1);
    }
    // A name with settings elsewhere in the text need not repeat them.
    if (const Parameter* known = declared(index); known != nullptr && !has_settings) parameter = *known;
    if (declared(index) == nullptr) declared_.push_back(parameter);
    return guarded(begin, [&] { return builder_.parameter(parameter, child); });
  }

  void settings(Parameter& parameter) {
    parameter.initial = signed_number();
    if (take(',')) {
      skip_spaces();
      const std::size_t begin = at_;
      const std::string_view word = take_word();
      constexpr std::array<std::string_view, 3> kScopes = {"layer", "channel", "neuron"};
      const auto found = std::ranges::find(kScopes, word);
      if (found == kScopes.end()) {
        fail("unknown scope '" + shortened(word) + "'", begin, "; it is layer, channel or neuron");
      }
      parameter.scope = static_cast<Scope>(found - kScopes.begin());
    }
    expect(']');
  }

  const Parameter* declared(std::uint32_t index) const {
    const auto found = std::ranges::find(declared_, index, &Parameter::index);
    return found == declared_.end() ? nullptr : &*found;
  }

  // ---- tokens

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  bool take(char wanted) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    skip_spaces();
    return true;
  }

  bool peek(char wanted) {
    skip_spaces();
    return at_ < text_.size() && text_[at_] == wanted;
  }

  bool take_times() {
    skip_spaces();
    return !text_.substr(at_).starts_with("**") && take('*');
  }

  bool peek_power() {
    skip_spaces();
    return text_.substr(at_).starts_with('^') || text_.substr(at_).starts_with("**");
  }

  void expect(char wanted) {
    if (take(wanted)) return;
    fail_here(at_ == text_.size() ? "missing '" + std::string(1, wanted) + "'"
                                  : "expected '" + std::string(1, wanted) + "', not '" + printable(text_[at_]) + "'");
  }

  bool starts_word(std::string_view word) const {
    const std::string_view rest = text_.substr(at_);
    return rest.starts_with(word) &&
           (rest.size() == word.size() || !(is_letter(rest[word.size()]) || is_digit(rest[word.size()])));
  }

  std::string_view take_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  double infinity(std::string_view already_taken = {}) {
    if (already_taken.empty()) take_word();
    return std::numeric_limits<double>::infinity();
  }

  double number() {
    // from_chars would also take a sign, inf and nan.
    if (at_ == text_.size() || !(is_digit(text_[at_]) || text_[at_] == '.')) fail_here("expected a number");
    double value = 0;
    const char* end = text_.data() + text_.size();
    const auto [stop, error] = std::from_chars(text_.data() + at_, end, value);
    if (error == std::errc::result_out_of_range) fail_here("number out of range");
    if (error != std::errc()) fail_here("expected a number");
    at_ = static_cast<std::size_t>(stop - text_.data());
    if (at_ < text_.size() && is_letter(text_[at_]))
      fail_here("expected an operator after the number (write 2*x, not 2x)");
    return value;
  }

  double signed_number() {
    skip_spaces();
    const bool minus = take('-');
    if (starts_word("inf") || starts_word("nan")) fail_here("an initial value must be finite");
    const double value = number();
    return minus ? -value : value;
  }

  // ---- nodes, with the position added to what the builder says

  template <class Make>
  NodeId guarded(std::size_t position, Make make) {
    try {
      return make();
    } catch (const Error& error) {
      fail(error.what(), position);
    }
  }

  NodeId constant(double value) {
    return guarded(at_, [&] { return builder_.constant(value); });
  }

  NodeId apply(Op op, const std::vector<NodeId>& children, std::size_t position) {
    return guarded(position, [&] { return builder_.apply(op, children); });
  }

  NodeId binary(Op op, NodeId left, NodeId right) { return apply(op, {left, right}, at_); }

  // ---- errors

  [[noreturn]] void fail(const std::string& what, std::size_t position, const std::string& hint = {}) const {
    throw Error(ErrorCode::kBadInput, what + " at column " + std::to_string(position + 1) + hint, position);
  }
  [[noreturn]] void fail_here(const std::string& what) const { fail(what, at_); }

  static std::string printable(char c) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    if (c >= ' ' && c <= '~') return std::string(1, c);
    const auto byte = static_cast<unsigned char>(c);
    return std::string("\\x") + kDigits[byte >> 4] + kDigits[byte & 15];
  }

  static std::string shortened(std::string_view word) {
    return word.size() <= 40 ? std::string(word) : std::string(word.substr(0, 40)) + "…";
  }

  static std::string lowered(std::string_view word) {
    std::string text(word);
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return text;
  }

  // Counts the recursion, which parentheses and signs deepen without adding a node.
  struct Nesting {
    explicit Nesting(Parser& owner) : parser(owner) {
      if (++parser.depth_ > 4 * kMaxDepth) parser.fail_here("expression nested too deeply");
    }
    ~Nesting() { --parser.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    Parser& parser;
  };

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  ExprBuilder builder_;
  std::vector<Parameter> declared_;
};

}  // namespace

Expr parse(std::string_view text) { return Parser(text).run(); }

std::vector<std::string> split_functions(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace actforge
