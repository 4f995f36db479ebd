#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/expr/language/alias.h"
#include "actforge/space/schema.h"

namespace actforge {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kWidest = 60;
  return "'" + std::string(text.substr(0, kWidest)) + (text.size() > kWidest ? "...'" : "'");
}

Op find_operator(std::string_view name, std::size_t position) {
  const OpInfo* info = find_op_or_alias(name);
  if (info == nullptr) {
    throw Error(ErrorCode::kBadInput, "unknown operator " + in_quotes(name) + did_you_mean(name, op_names()), position);
  }
  return info->op;
}

}  // namespace

void check_list_name(std::string_view name) {
  const bool taken = name == "x" || name == "unary" || name == "binary" || name == "nary" || find_op(name) != nullptr;
  const bool word =
      !name.empty() && std::ranges::all_of(name, is_word) && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
  if (taken || !word) {
    throw Error(ErrorCode::kBadInput, "a list cannot be called " + in_quotes(name) + ": " +
                                          (taken ? "that name is taken" : "a name is made of letters, digits and _"));
  }
}

std::vector<Op> parse_operators(std::string_view text) {
  std::vector<Op> ops;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::size_t first = at, last = end;
    while (first < last && is_blank(text[first])) ++first;
    while (last > first && is_blank(text[last - 1])) --last;
    if (first == last) throw Error(ErrorCode::kBadInput, "an operator's name is missing", first);
    ops.push_back(find_operator(text.substr(first, last - first), first));
    at = end + 1;
  }
  return ops;
}

class SchemaParser {
 public:
  SchemaParser(std::string_view text, std::vector<OperatorList>& lists) : text_(text), lists_(lists) {}

  Schema run() {
    term(1);
    skip_blanks();
    if (at_ < text_.size()) fail("unexpected " + in_quotes(text_.substr(at_)));
    if (std::ranges::none_of(schema_.nodes_, [](const SchemaNode& n) { return n.kind == NodeKind::kInput; })) {
      fail("the schema " + in_quotes(text_) + " names no input: write x where the function's argument goes", 0);
    }
    return std::move(schema_);
  }

 private:
  [[noreturn]] void fail(const std::string& what, std::optional<std::size_t> position = std::nullopt) const {
    throw Error(ErrorCode::kBadInput, what, position.value_or(at_));
  }

  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::uint32_t add(SchemaNode node) {
    if (schema_.nodes_.size() >= kMaxNodes) fail("schema too large: more than " + std::to_string(kMaxNodes) + " nodes");
    schema_.nodes_.push_back(std::move(node));
    return static_cast<std::uint32_t>(schema_.nodes_.size() - 1);
  }

  std::uint32_t term(std::size_t depth) {
    if (depth > kMaxDepth) fail("schema nested too deeply: more than " + std::to_string(kMaxDepth) + " levels");
    skip_blanks();
    if (at_ >= text_.size()) fail(text_.empty() ? "the schema is empty" : "the schema ends too early");
    const std::size_t start = at_;
    const char c = text_[at_];
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.') return constant();
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    if (at_ == start) fail("unexpected " + in_quotes(text_.substr(at_, 1)) + "; a list, an operator or x goes here");
    const std::string_view word = text_.substr(start, at_ - start);
    if (word == "x") return add({.kind = NodeKind::kInput});
    const std::uint32_t list = find_list(word, start);
    if (!take('(')) {
      fail(in_quotes(word) + " needs its input: write " + std::string(word) + "(x), or a schema in place of x", start);
    }
    const std::uint32_t id = add({.kind = NodeKind::kOperator, .list = list});
    if (take(')')) fail(in_quotes(word) + " names no input: write " + std::string(word) + "(x)", start);
    std::vector<std::uint32_t> children;
    do {
      children.push_back(term(depth + 1));
    } while (take(','));
    if (!take(')')) fail("expected ',' or ')' in the arguments of " + in_quotes(word));
    const int arity = lists_[list].arity;
    if (arity != kVariadic && children.size() != static_cast<std::size_t>(arity)) {
      fail(in_quotes(word) + (arity == 1 ? " takes 1 input, not " : " takes 2 inputs, not ") +
               std::to_string(children.size()),
           start);
    }
    schema_.nodes_[id].children = std::move(children);
    return id;
  }

  std::uint32_t constant() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || !std::isfinite(value)) fail("not a number: " + in_quotes(text_.substr(at_)));
    at_ = static_cast<std::size_t>(end - text_.data());
    return add({.kind = NodeKind::kConstant, .constant = value});
  }

  std::uint32_t find_list(std::string_view word, std::size_t position) {
    const auto known_list = [&](std::string_view name) { return std::ranges::find(lists_, name, &OperatorList::name); };
    const OpInfo* info = known_list(word) == lists_.end() ? find_op_or_alias(word) : nullptr;
    const auto found = known_list(info == nullptr ? word : info->name);
    if (found != lists_.end()) return static_cast<std::uint32_t>(found - lists_.begin());
    if (info == nullptr) {
      std::vector<std::string_view> known(op_names().begin(), op_names().end());
      for (const OperatorList& list : lists_) known.push_back(list.name);
      fail("unknown list or operator " + in_quotes(word) + did_you_mean(word, known), position);
    }
    lists_.push_back({std::string(info->name), info->arity, {info->op}});
    return static_cast<std::uint32_t>(lists_.size() - 1);
  }

  std::string_view text_;
  std::vector<OperatorList>& lists_;
  Schema schema_;
  std::size_t at_ = 0;
};

Schema Schema::parse(std::string_view text, std::vector<OperatorList>& lists) {
  return SchemaParser(text, lists).run();
}

}  // namespace actforge
