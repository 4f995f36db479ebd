// A million random and mutated texts: each parses and survives a round trip, or is refused with a position.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "actforge/expr/language/graph.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "tests/expr/random_expr.h"

namespace actforge {
namespace {

const std::vector<std::string>& seeds() {
  static const std::vector<std::string> list = {
      "x",
      "max(relu(x),cosh(elu(x)))",
      "log_sigmoid(alpha*x)*arcsinh(x)",
      "sum_n(abs(x),swish(x),sigmoid(x))",
      "alpha[0.25,neuron](min0(x)) + relu(x)",
      "alpha*x - beta*log_sigmoid(gamma*x)",
      "param_3[-1.5e-3,layer](x)/param_255",
      "-2^x^-x ** +3",
      "(-inf)*nan - .5e+10",
      "x/alpha*x^beta*x",
      "prelu(pau(splash(apl(elish(pswish(x))))))",
      "div_eps(x,div_no_nan(1,div(x,2)))",
      "alpha(alpha[2](x))",
      "\t x\n+\r1 ",
  };
  return list;
}

const std::vector<std::string>& words() {
  static const std::vector<std::string> list = [] {
    std::vector<std::string> all = {
        "x",        "(",       ")",      ",",        "[",       "]",         "+",
        "-",        "*",       "/",      "^",        "**",      " ",         "\n",
        ".",        "0",       "1",      "-0",       "0.5",     "1e-3",      "1e999",
        "2e",       "inf",     "nan",    "infinity", "NAN",     "0x1",       "alpha",
        "beta",     "gamma",   "param_", "param_0",  "param_7", "param_256", "param_99999999999",
        "layer",    "channel", "neuron", "pi",       "relu",    "X",         "_",
        "\xce\xb1", "alpha["};
    for (const OpInfo& info : op_table()) all.push_back(std::string(info.name) + "(");
    return all;
  }();
  return list;
}

template <class List>
auto pick(const List& list, Random& random) {
  return list[random.below(list.size())];
}

std::string random_bytes(Random& random) {
  std::string text(random.below(24), ' ');
  for (char& c : text) c = static_cast<char>(random.below(256));
  return text;
}

std::string random_words(Random& random) {
  std::string text;
  for (std::uint64_t left = random.below(16); left > 0; --left) text += pick(words(), random);
  return text;
}

std::vector<std::string> valid_texts(Random& random) {
  std::vector<std::string> list = seeds();
  while (list.size() < 4096) {
    const Expr expr = random_expr(random, 1 + random.below(12));
    list.push_back(random.below(2) == 0 ? to_call(expr) : to_infix(expr));
  }
  return list;
}

// Mostly between words: a misspelt name is refused at once, and never shows what follows it.
std::size_t place(const std::string& text, Random& random) {
  std::size_t at = random.below(text.size() + 1);
  if (random.below(8) == 0) return at;
  while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_')) ++at;
  return at;
}

std::string mutated(const std::vector<std::string>& valid, Random& random) {
  std::string text = pick(valid, random);
  for (std::uint64_t left = 1 + random.below(3); left > 0; --left) {
    const std::size_t at = place(text, random);
    const std::size_t end = std::max(at, place(text, random)), length = std::min<std::size_t>(end - at, 24);
    switch (random.below(5)) {
      case 0: text.insert(at, pick(words(), random)); break;
      case 1: text.erase(at, length); break;
      case 2: text.replace(at, std::min<std::size_t>(length, 1), 1, pick(std::string("x()*-+/,.[]0^ "), random)); break;
      case 3: text.insert(at, text.substr(at, length)); break;
      default: {
        const std::string other = pick(valid, random);
        text = text.substr(0, at) + other.substr(place(other, random));
      }
    }
  }
  return text;
}

std::string any_text(const std::vector<std::string>& valid, Random& random) {
  switch (random.below(8)) {
    case 0: return random_bytes(random);
    case 1: return random_words(random);
    case 2: return pick(valid, random);
    default: return mutated(valid, random);
  }
}

void expect_refused(const Error& error, const std::string& text) {
  EXPECT_EQ(error.code(), ErrorCode::kBadInput) << testing::PrintToString(text);
  EXPECT_TRUE(error.position() && *error.position() <= text.size()) << testing::PrintToString(text);
  EXPECT_NE(std::string(error.what()).find("at column"), std::string::npos) << testing::PrintToString(text);
}

void expect_round_trip(const Expr& expr, const std::string& text) {
  const std::string call = to_call(expr), infix = to_infix(expr);
  EXPECT_NO_THROW(EXPECT_EQ(parse(call), expr) << call) << testing::PrintToString(text) << " as " << call;
  EXPECT_NO_THROW(EXPECT_EQ(parse(infix), expr) << infix) << testing::PrintToString(text) << " as " << infix;
  try {
    canonical(expr);
  } catch (const Error&) {  // too large, once named functions are expanded
  }
}

constexpr int kTexts = 1000000;

TEST(ParseFuzz, AMillionTextsParseOrAreRefused) {
  Random random(1, 0, "parse fuzz");
  const std::vector<std::string> valid = valid_texts(random);
  int accepted = 0;
  for (int i = 0; i < kTexts && !HasFailure(); ++i) {
    const std::string text = any_text(valid, random);
    try {
      const Expr expr = parse(text);
      if (++accepted % 16 == 0) expect_round_trip(expr, text);  // the slow part, on enough of them
    } catch (const Error& error) {
      expect_refused(error, text);
    }
  }
  EXPECT_GT(accepted, kTexts / 10);
  EXPECT_LT(accepted, kTexts - kTexts / 10);
}

TEST(ParseFuzz, InitialValuesAreFinite) {
  for (const char* value :
       {"inf", "-inf", "nan", "infinity", "-Infinity", "INF", "NAN", "nan(1)", "--1", "1e999", ""}) {
    const std::string text = "alpha[" + std::string(value) + "](x)";
    try {
      parse(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      expect_refused(error, text);
    }
  }
}

TEST(ParseFuzz, UnprintableBytesAreSpelledOut) {
  for (const std::string& text :
       {std::string("x\0", 2), std::string("\0x", 2), std::string("x\xff"), std::string("relu(x\x1b")}) {
    try {
      parse(text);
      ADD_FAILURE() << testing::PrintToString(text);
    } catch (const Error& error) {
      expect_refused(error, text);
      for (const char c : std::string(error.what())) EXPECT_TRUE(c >= ' ' && c <= '~') << error.what();
    }
  }
}

TEST(ParseFuzz, HugeTextsAreRefused) {
  for (const char* part : {"(", "x+", "-", "alpha*", "relu(", "x^", "x,", "1", "sum_n(x,", " ", "a", "\xff"}) {
    std::string text;
    while (text.size() < kMaxTextLength - 8) text += part;
    EXPECT_THROW(parse(text), Error) << part;
    while (text.size() <= kMaxTextLength) text += part;
    EXPECT_THROW(parse(text), Error) << part;
  }
}

// Printing adds parentheses, and reading counts them: the deepest expressions must still come back.
TEST(ParseFuzz, TheDeepestExpressionsReadBack) {
  for (const OpInfo& info : op_table()) {
    const std::size_t arity = info.arity == kVariadic ? 3 : static_cast<std::size_t>(info.arity);
    for (std::size_t deep_argument = 0; deep_argument < arity; ++deep_argument) {
      ExprBuilder builder;
      // Post-order: the arguments before the deep one at every level come first.
      std::vector<NodeId> before;
      for (std::size_t i = 0; i < (kMaxDepth - 1) * deep_argument; ++i) before.push_back(builder.input());
      NodeId node = builder.input();
      for (std::size_t level = 1; level < kMaxDepth; ++level) {
        std::vector<NodeId> children(before.end() - static_cast<std::ptrdiff_t>(deep_argument), before.end());
        before.resize(before.size() - deep_argument);
        children.push_back(node);
        while (children.size() < arity) children.push_back(builder.input());
        node = builder.apply(info.op, children);
      }
      expect_round_trip(builder.finish(), std::string(info.name));
    }
  }
}

}  // namespace
}  // namespace actforge
