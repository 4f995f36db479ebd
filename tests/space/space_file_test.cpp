#include "actforge/space/space_file.h"

#include <gtest/gtest.h>

#include "actforge/base/error.h"
#include "actforge/expr/language/print.h"
#include "actforge/space/find_space.h"
#include "tests/space/problems.h"

namespace actforge {
namespace {

TEST(SpaceFile, ReadsEveryKey) {
  const Space space = parse_space(R"toml(
name = "gated"
schemas = ["mul(unary(x),gate(unary(x)))", "binary(x,unary(x))"]
unary = ["relu", "tanh"]
binary = "cafe"
parameters = 1
[lists]
gate = ["sigmoid", "hard_sigmoid", "softsign"]
)toml",
                                  "gated.toml");
  EXPECT_EQ(space.name(), "gated");
  EXPECT_EQ(space.total(), 12 * (1 + 6) + 12 * (1 + 4));
  EXPECT_EQ(to_call(space.at(0)), "mul(relu(x),sigmoid(relu(x)))");
  const Space graphs = parse_space("max_nodes = 3\n", "graphs.toml");
  EXPECT_EQ(graphs.total(), 27 + 27 * 27 + 27 * 27 * 27 + 7 * 27 * 27);
  EXPECT_EQ(graphs.name(), "graphs.toml");
}

TEST(SpaceFile, WhatItWritesItReads) {
  for (const BuiltinSpace& row : builtin_spaces()) {
    const Space space(row.define());
    const Space again = parse_space(space_toml(space), "again");
    EXPECT_EQ(again.total(), space.total());
    EXPECT_EQ(again.at(space.total() / 3), space.at(space.total() / 3));
    EXPECT_EQ(again.name(), space.name());
  }
  const Space odd(SpaceDefinition{.name = "quote \" and \\ and\nline",
                                  .unary = {Op::kGelu},
                                  .lists = {make_list("gate", {Op::kSigmoid})},
                                  .schemas = {"mul(x,gate(unary(x)))", "add(-1.5,unary(x))"}});
  const Space again = parse_space(space_toml(odd), "again");
  EXPECT_EQ(again.name(), odd.name());
  EXPECT_EQ(again.at(1), odd.at(1));
}

std::string error_of(const std::string& toml) {
  try {
    parse_space(toml, "f");
    return "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    return error.what();
  }
}

// Which line, and why.
TEST(SpaceFile, ErrorsNameTheLine) {
  const auto expect = [](const std::string& toml, const std::string& start, const std::string& part) {
    const std::string message = error_of(toml);
    EXPECT_EQ(message.substr(0, start.size()), start) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  const std::string good = "schemas = [\"unary(x)\"]\n";
  expect(good + "\nunary = [\"relu\",\n  \"sofplus\"]",
         "f, line 4: ", "unknown operator 'sofplus'; did you mean 'softplus'?");
  expect(good + "unary = []", "f, line 2: ", "empty");
  expect(good + "unary = [\"relu\", \"add\"]", "f, line 2: ", "'add' is binary");
  expect(good + "unary = [\"relu\",\n\"relu\"]", "f, line 3: ", "twice");
  expect(good + "unary = [1]", "f, line 2: ", "text");
  expect(good + "unary = \"pangea\"", "f, line 2: ", "unknown set");
  expect(good + "unray = []", "f, line 2: ", "did you mean 'unary'?");
  expect(good + "parameters = 1.5", "f, line 2: ", "whole number");
  expect(good + "parameters = 99", "f, line 2: ", "whole number from 0 to 8");
  expect(good + "max_nodes = 5", "f, line 2: ", "not both");
  expect(good + "name = 3", "f, line 2: ", "text");
  expect(good + "lists = 3", "f, line 2: ", "table");
  expect(good + "nary = [\"sum_n\"]", "f, line 2: ", "no schema uses the list 'nary'");
  expect(good + "[lists]\ngate = [\"relu\"]", "f, line 3: ", "no schema uses the list 'gate'");
  expect(good + "[lists]\ngate = []", "f, line 3: ", "empty");
  expect(good + "[lists]\nrelu = [\"relu\"]", "f, line 3: ", "taken");
  expect(good + "[lists]\n\"a b\" = [\"relu\"]", "f, line 3: ", "letters");
  expect("schemas = [\n\"unary(x)\",\n\"unary()\"]", "f, line 3: ", "names no input");
  expect("schemas = [\n\"unary(x)\",\n\n\"unary(1)\"]", "f, line 4: ", "names no input");
  expect("schemas = [\"unary(x)\",\n\"unari(x)\"]", "f, line 2: ", "did you mean 'unary'?");
  expect("schemas = [\"unary(x)\",\n\"unary(x)\"]", "f, line 2: ", "twice");
  expect("schemas = []", "f, line 1: ", "one schema at least");
  expect("schemas = [3]", "f, line 1: ", "text");
  expect("name = \"a\"", "f, line 1: ", "no schema");
  expect("", "f, line 1: ", "no schema");
  expect("a = [\n\n", "f, line ", "");
  expect("max_nodes = 0", "f, line 1: ", "from 1 to 12");
}

TEST(FindSpace, TakesNamesSchemasAndUnions) {
  EXPECT_EQ(find_space("aquasurf-3").total(), 5103);
  EXPECT_EQ(find_space("cafe-s3").total(), Space(cafe_space(3)).total());
  EXPECT_EQ(find_space("unary(binary(unary(x),unary(x)))").total(), 27 * 5103);
  EXPECT_EQ(find_space("unary(x) | binary(unary(x),unary(x))").total(), 27 + 5103);
  EXPECT_EQ(find_space("unary(x)", {.unary = std::vector{Op::kRelu, Op::kTanh}, .parameters = 1}).total(), 2 * 3);
  for (const char* bad :
       {"pangea", "cafe-s0", "cafe-s11", "cafe-sx", "cafe-s99999999999999999999", "", "no/such.toml"}) {
    EXPECT_THROW(find_space(bad), Error) << bad;
  }
  try {
    find_space("unary(x) | unari(x)");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.position(), 11u);
  }
}

}  // namespace
}  // namespace actforge
