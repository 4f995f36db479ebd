#include "actforge/init/maps/rule_formula.h"

#include <array>
#include <charconv>
#include <cmath>

#include "actforge/base/error.h"

namespace actforge {

// sum := product (('+'|'-') product)*;  product := power (('*'|'/') power)*;  power := unary ('^' power)?;
// unary := '-' unary | atom
class RuleFormula::Parser {
 public:
  Parser(std::string_view text, std::vector<Step>& steps) : text_(text), steps_(steps) {}

  void parse() {
    sum();
    if (at_ != text_.size()) fail("did not expect '" + std::string(1, text_[at_]) + "'");
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorCode::kBadInput,
                why + " at column " + std::to_string(at_ + 1) + " of \"" + std::string(text_) + "\"");
  }

  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void emit(Code code) { steps_.push_back({.code = code}); }

  void sum() {
    constexpr int kDeepest = 200;
    if (++depth_ > kDeepest) fail("too many brackets");
    product();
    for (;;) {
      if (take('+')) {
        product();
        emit(Code::kAdd);
      } else if (take('-')) {
        product();
        emit(Code::kSubtract);
      } else {
        break;
      }
    }
    --depth_;
  }

  void product() {
    power();
    for (;;) {
      if (take('*')) {
        power();
        emit(Code::kMultiply);
      } else if (take('/')) {
        power();
        emit(Code::kDivide);
      } else {
        break;
      }
    }
  }

  // -m^2 is -(m^2).
  void power() {
    int minus = 0;
    while (take('-')) ++minus;
    atom();
    if (take('^')) {
      constexpr int kDeepest = 200;
      if (++depth_ > kDeepest) fail("too many powers");
      power();
      --depth_;
      emit(Code::kPower);
    }
    if (minus % 2 == 1) emit(Code::kNegate);
  }

  void atom() {
    const char c = peek();
    if (take('(')) {
      sum();
      if (!take(')')) fail("expected ')'");
    } else if ((c >= '0' && c <= '9') || c == '.') {
      number();
    } else if (c >= 'a' && c <= 'z') {
      name();
    } else {
      fail(c == '\0' ? "the formula ends too early" : "did not expect '" + std::string(1, c) + "'");
    }
  }

  void number() {
    double value = 0;
    const char* end = text_.data() + text_.size();
    const auto [stop, error] = std::from_chars(text_.data() + at_, end, value);
    if (error != std::errc()) fail("expected a number");
    at_ = static_cast<std::size_t>(stop - text_.data());
    steps_.push_back({.code = Code::kNumber, .number = value});
  }

  void name() {
    std::size_t end = at_;
    while (end < text_.size() && ((text_[end] >= 'a' && text_[end] <= 'z') || (text_[end] >= '0' && text_[end] <= '9')))
      ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    if (word[0] == 'm' || word[0] == 'v') {
      std::size_t input = 1;
      const char* last = word.data() + word.size();
      const auto [stop, error] = std::from_chars(word.data() + 1, last, input);
      if (word.size() == 1 || (error == std::errc() && stop == last && input >= 1)) {
        at_ = end;
        steps_.push_back({.code = word[0] == 'm' ? Code::kMean : Code::kVariance, .input = input - 1});
        return;
      }
    }
    function(word, end);
  }

  void function(std::string_view word, std::size_t end) {
    constexpr struct {
      std::string_view name;
      Code code;
      int arguments;
    } kFunctions[] = {{"sqrt", Code::kSqrt, 1}, {"exp", Code::kExp, 1}, {"log", Code::kLog, 1},
                      {"abs", Code::kAbs, 1},   {"min", Code::kMin, 2}, {"max", Code::kMax, 2}};
    for (const auto& row : kFunctions) {
      if (row.name != word) continue;
      at_ = end;
      if (!take('(')) fail("expected '('");
      sum();
      if (row.arguments == 2) {
        if (!take(',')) fail("expected ','");
        sum();
      }
      if (!take(')')) fail("expected ')'");
      return emit(row.code);
    }
    fail("unknown name '" + std::string(word) + "' (there are m, v, m1, v1, m2, ..., sqrt, exp, log, abs, min, max)");
  }

  std::string_view text_;
  std::vector<Step>& steps_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

RuleFormula::RuleFormula(std::string_view text) { Parser(text, steps_).parse(); }

RuleFormula RuleFormula::constant(double value) {
  RuleFormula formula;
  formula.steps_.push_back({.code = Code::kNumber, .number = value});
  return formula;
}

double RuleFormula::value(std::span<const SignalMoments> inputs) const {
  std::vector<double> stack;
  const auto pop = [&] {
    const double top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const Step& step : steps_) {
    if (step.code == Code::kMean || step.code == Code::kVariance) {
      if (step.input >= inputs.size()) {
        throw Error(ErrorCode::kBadInput, "there is no input " + std::to_string(step.input + 1));
      }
      stack.push_back(step.code == Code::kMean ? inputs[step.input].mean : inputs[step.input].variance);
      continue;
    }
    if (step.code == Code::kNumber) {
      stack.push_back(step.number);
      continue;
    }
    const double b = pop();
    switch (step.code) {
      case Code::kNegate: stack.push_back(-b); break;
      case Code::kSqrt: stack.push_back(std::sqrt(b)); break;
      case Code::kExp: stack.push_back(std::exp(b)); break;
      case Code::kLog: stack.push_back(std::log(b)); break;
      case Code::kAbs: stack.push_back(std::fabs(b)); break;
      case Code::kAdd: stack.push_back(pop() + b); break;
      case Code::kSubtract: stack.push_back(pop() - b); break;
      case Code::kMultiply: stack.push_back(pop() * b); break;
      case Code::kDivide: stack.push_back(pop() / b); break;
      case Code::kPower: stack.push_back(std::pow(pop(), b)); break;
      case Code::kMin: stack.push_back(std::fmin(pop(), b)); break;
      default: stack.push_back(std::fmax(pop(), b)); break;
    }
  }
  return stack.back();
}

}  // namespace actforge
