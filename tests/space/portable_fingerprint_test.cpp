// Fingerprints are stored, and compared between machines: they are computed here with every instruction set that this
// machine has, and compared with some that were computed before.
#include <gtest/gtest.h>

#include <cmath>

#include "actforge/base/portable_normal.h"
#include "actforge/expr/kernels/kernel.h"
#include "actforge/expr/kernels/simd_kernels.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/space/fingerprint.h"
#include "tests/expr/random_expr.h"

namespace actforge {
namespace {

// Every operator of x, and of several other operators, by itself and beside a parameter.
std::vector<Expr> operators() {
  std::vector<Expr> list;
  for (const OpInfo& row : op_table()) {
    for (const std::string inner : {"x", "exp(x)", "sub(x,0.3)", "alpha(x)", "reciprocal(x)"}) {
      const std::string name(row.name);
      list.push_back(parse(row.arity == 1 ? name + "(" + inner + ")" : name + "(" + inner + ",sin(x))"));
      if (row.arity != 1) list.push_back(parse(name + "(" + inner + ",3)"));
    }
  }
  return list;
}

std::vector<Expr> random_functions(std::size_t count) {
  std::vector<Expr> list;
  Random random(11);
  while (list.size() < count) list.push_back(random_expr(random, 2 + random.below(12)));
  return list;
}

std::vector<std::string_view> portable_targets() {
  std::vector<std::string_view> names;
  for (const KernelTable& table : kernel_tables()) {
    if (table.fused) names.push_back(table.name);
  }
  return names;
}

TEST(PortableFingerprint, IsTheSameWithEveryInstructionSet) {
  const std::vector<std::string_view> targets = portable_targets();
  ASSERT_GE(targets.size(), 2u) << "one at least with vectors, and the one without";
  std::vector<Expr> functions = operators();
  for (Expr& function : random_functions(4000)) functions.push_back(std::move(function));
  const Fingerprinter best;
  for (const std::string_view target : targets) {
    const Fingerprinter other({}, target);
    for (const Expr& function : functions) ASSERT_EQ(best(function), other(function)) << target << to_call(function);
  }
}

// The test above can fail: multiplications and additions that are rounded apart give other fingerprints.
TEST(PortableFingerprint, DiffersWhereProductsAreRounded) {
  const Fingerprinter best;
  for (const KernelTable& table : kernel_tables()) {
    if (table.fused) continue;
    const Fingerprinter other({}, table.name);
    EXPECT_NE(best(parse("tanh(x)")), other(parse("tanh(x)"))) << table.name;
  }
}

TEST(PortableFingerprint, IsTheOneThatIsStored) {
  const std::pair<const char*, const char*> known[] = {
      {"x", "9b533c9fbbeb878f9aeabac1c600bcc9"},
      {"tanh(x)", "0489531b97e4a07ecc52e9ac8e91e730"},
      {"gelu(x)", "04e19ec103044d9203de7519b9362046"},
      {"arcsinh(x)", "47ac43002b3fd7e611e1e0b8006c4f10"},
      {"selu(sinh(expm1(arctan(x))))", "47722771655df165d817a62dcba2e4a4"},
      {"mul(swish(x),erfc(bessel_i0e(x)))", "a4135d2397d8ca2dab5d07aac5d02080"},
      {"log_abs_eps(sin(x))", "764b448f1e3c5ef59cef7830b0b23893"},
      {"arctanh(cos(x))", "2f826ff8b23b47d572968a1c3998dd6e"},
      {"pow(cosh(x),sub(x,2))", "8ce0783c98e45255d90ac98c4df6e0c8"},
      {"div_eps(sinc(x),bessel_i1e(x))", "957960668992da760aae498de596a616"},
      {"mul(log_sigmoid(alpha(x)),beta(arcsinh(x)))", "8928da2195c531acc4742e049083a989"},
      {"sum_n(gauss(x),mish(x),softsign(x),elish(x))", "04b10790dc67080b2d1d812a6ef095d2"},
      {"prelu(pau(x))", "3e1960017e794597ff79805ee12150f1"},
  };
  const Fingerprinter fingerprint;
  for (const auto& [function, hash] : known) EXPECT_EQ(fingerprint(parse(function)).hex(), hash) << function;
}

TEST(PortableNormal, IsTheNormalNumberOfTheSameDraws) {
  Random one(3), other(3);
  for (int i = 0; i < 100'000; ++i) {
    const double wanted = one.normal(), got = portable_normal(other);
    ASSERT_NEAR(got, wanted, 1e-14 * (1e-2 + std::fabs(wanted))) << i;
  }
  EXPECT_EQ(one.next(), other.next());
}

TEST(PortableNormal, IsTheSameOnEveryMachine) {
  Random random(5);
  for (const double wanted :
       {-0x1.18e6004721114p-4, -0x1.f6fe4bb743a3bp-3, -0x1.dd873d8bef8f9p-1, -0x1.d521ee78f4827p-4})
    EXPECT_EQ(portable_normal(random), wanted);
}

}  // namespace
}  // namespace actforge
