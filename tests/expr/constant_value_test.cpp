// Constants that canonical forms fold: their bits are part of hashes that machines compare.
#include "actforge/expr/ops/constant_value.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "actforge/base/hash.h"
#include "actforge/expr/language/graph.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/reference.h"

namespace actforge {
namespace {

std::vector<double> arguments() {
  std::vector<double> list = {0, -0.0, 1, -1, 2, -2.5, 1e-12, 700, -700, 1e5};
  for (int i = -40; i <= 40; ++i) list.push_back(i * 0.2371 + 0.0131);
  for (int i = -3; i < 8; ++i) list.push_back(std::ldexp(1.37, 7 * i));
  return list;
}

TEST(ConstantValue, IsTheValueButForTheLastBits) {
  for (const OpInfo& row : op_table()) {
    if (row.arity != 1 || row.value == nullptr) continue;
    for (const double x : arguments()) {
      const double wanted = row.value(x), got = constant_value(row, x);
      if (std::isfinite(wanted)) {
        EXPECT_NEAR(got, wanted, 1e-14 * std::fabs(wanted)) << row.name << " at " << x;
      } else {
        EXPECT_EQ(std::isnan(got), std::isnan(wanted)) << row.name << " at " << x;
      }
      EXPECT_EQ(std::signbit(got), std::signbit(wanted)) << row.name << " at " << x;
    }
  }
  const OpInfo& power = op_info(Op::kPow);
  for (const double a : arguments()) {
    for (const double b : {0.0, 1.0, -1.0, 2.0, 3.0, -2.0, 0.5, -0.37, 11.0}) {
      const double wanted = power.value2(a, b), got = constant_value(power, a, b);
      if (std::isfinite(wanted)) {
        EXPECT_NEAR(got, wanted, 1e-14 * std::fabs(wanted)) << a << "^" << b;
      }
    }
  }
}

// As everybody rounds them: the digits come from elsewhere.
TEST(ConstantValue, IsRoundedCorrectly) {
  const auto at = [](const char* name, double x) { return constant_value(*find_op(name), x); };
  EXPECT_EQ(at("exp", 1), 2.71828182845904523536);
  EXPECT_EQ(at("sin", 1), 0.84147098480789650665);
  EXPECT_EQ(at("cos", 1), 0.54030230586813971740);
  EXPECT_EQ(at("tanh", 1), 0.76159415595576488812);
  EXPECT_EQ(at("sinh", 1), 1.17520119364380145688);
  EXPECT_EQ(at("cosh", 1), 1.54308063481524377848);
  EXPECT_EQ(at("erf", 1), 0.84270079294971486934);
  EXPECT_EQ(at("erfc", 3), 2.20904969985854413727e-5);
  EXPECT_EQ(at("arctan", 2), 1.10714871779409050302);
  EXPECT_EQ(at("arcsinh", 1), 0.88137358701954302523);
  EXPECT_EQ(at("softplus", 0.0), 0.69314718055994530942);
  EXPECT_EQ(at("bessel_i0e", 1), 0.46575960759364043650);
  EXPECT_EQ(at("bessel_i1e", 1), 0.20791041534970844887);
}

std::string all_constants() {
  std::string text;
  for (const OpInfo& row : op_table()) {
    Hasher hasher;
    if (row.arity != 1 || row.value == nullptr) continue;
    // The library's versions agree at most arguments: it takes thousands to see that they differ.
    for (int i = 0; i < 3000; ++i) {
      const double x = i * 0.00671 - 10;
      hasher.add(std::bit_cast<std::uint64_t>(std::fabs(constant_value(row, x))));
      if (row.op == Op::kExp) hasher.add(std::bit_cast<std::uint64_t>(constant_value(op_info(Op::kPow), x * x, 1.37)));
    }
    text += std::string(row.name) + " " + hasher.finish().hex() + "\n";
  }
  return text;
}

// For the test below, which runs this one in another process.
TEST(ConstantValue, Print) {
  if (std::getenv("ACTFORGE_PRINT_CONSTANTS") != nullptr) std::printf("constants:\n%send\n", all_constants().c_str());
}

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), n);
  pclose(pipe);
  return text;
}

// The C library takes other versions of its functions where it is told that there is no fused multiply-add.
TEST(ConstantValue, DoesNotDependOnTheProcessor) {
  std::array<char, 4096> path{};
  ASSERT_GT(readlink("/proc/self/exe", path.data(), path.size() - 1), 0);
  const std::string command =
      "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX2_Usable,-FMA_Usable ACTFORGE_PRINT_CONSTANTS=1 '" +
      std::string(path.data()) + "' --gtest_filter=ConstantValue.Print";
  const std::string text = output_of(command);
  const std::size_t begin = text.find("constants:\n"), end = text.find("end\n");
  ASSERT_NE(begin, std::string::npos) << text;
  EXPECT_EQ(text.substr(begin + 11, end - begin - 11), all_constants());
}

// The reference folds what the canonical form folds.
TEST(ConstantValue, IsThatOfTheReference) {
  for (const OpInfo& row : op_table()) {
    if (row.arity != 1 || row.value == nullptr) continue;
    for (const char* inner : {"one(x)", "0.7", "pow(x,0)", "pow(1,x)", "erf(2)"}) {
      const Expr expr = parse(std::string(row.name) + "(" + inner + ")");
      const double folded = Reference(canonical(expr).to_expr()).value(0.5), direct = Reference(expr).value(0.5);
      EXPECT_TRUE(folded == direct || (std::isnan(folded) && std::isnan(direct))) << row.name << " of " << inner;
    }
  }
}

}  // namespace
}  // namespace actforge
