#include "actforge/expr/language/graph.h"
#include "actforge/space/function_source.h"

namespace actforge {
namespace {

class PlainSource final : public FunctionSource {
 public:
  PlainSource(const Space& space, const FingerprintOptions& options) : space_(space), fingerprinter_(options) {}

  Hash128 canonical_hash(const Integer& index) override {
    expr_ = space_.at(index);
    return canonical(expr_).hash();
  }
  Hash128 fingerprint() override { return fingerprinter_(expr_); }

 private:
  const Space& space_;
  Fingerprinter fingerprinter_;
  Expr expr_;
};

class PlainSources final : public FunctionSources {
 public:
  PlainSources(const Space& space, const FingerprintOptions& options) : space_(space), options_(options) {}
  std::unique_ptr<FunctionSource> make() const override { return std::make_unique<PlainSource>(space_, options_); }

 private:
  const Space& space_;
  FingerprintOptions options_;
};

}  // namespace

std::unique_ptr<FunctionSources> plain_sources(const Space& space, const FingerprintOptions& options) {
  return std::make_unique<PlainSources>(space, options);
}

}  // namespace actforge
