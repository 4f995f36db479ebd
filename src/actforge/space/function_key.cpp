#include "actforge/space/function_key.h"

#include <algorithm>

#include "actforge/expr/language/graph.h"

namespace actforge {
namespace {

// Half as large as the texts, and no allocation each: there may be a million.
Hash128 hash_of(const std::string& text) { return Hasher().add(text).finish(); }

bool are_same(const std::string& a, const std::string& b) { return !a.empty() && a == b; }

}  // namespace

FunctionKey function_key(const Hash128& canonical, const Hash128& fingerprint) {
  return {.canonical = canonical.hex(), .fingerprint = std::string(kFingerprintVersion) + fingerprint.hex()};
}

std::string canonical_key(const Expr& expr) { return canonical(expr).hash().hex(); }

std::string fingerprint_prefix(Sameness sameness) {
  const std::string version(kFingerprintVersion);
  return sameness == Sameness::kOutputs ? version : version + (sameness == Sameness::kScale ? "scale:" : "shape:");
}

FunctionKey FunctionKeys::operator()(const Expr& expr) const {
  if (sameness_ == Sameness::kOutputs) return function_key(canonical(expr).hash(), fingerprint_(expr));
  return {.canonical = canonical_key(expr),
          .fingerprint = fingerprint_prefix(sameness_) + shape_fingerprint(expr, sameness_).hex()};
}

bool FunctionKeys::is_outdated(std::string_view fingerprint) const {
  const std::string prefix = fingerprint_prefix(sameness_);
  // The prefix of plain fingerprints begins the others too.
  return !fingerprint.empty() &&
         (!fingerprint.starts_with(prefix) || fingerprint.substr(prefix.size()).find(':') != std::string_view::npos);
}

bool is_same_function(const FunctionKey& a, const FunctionKey& b) {
  return are_same(a.canonical, b.canonical) || are_same(a.fingerprint, b.fingerprint);
}

std::optional<std::uint32_t> FunctionIndex::find(const FunctionKey& key) const {
  const auto same_form = look_up(by_canonical_, key.canonical);
  const auto same_values = look_up(by_fingerprint_, key.fingerprint);
  if (same_form && same_values) return std::min(*same_form, *same_values);
  return same_form ? same_form : same_values;
}

void FunctionIndex::add(const FunctionKey& key, std::uint32_t number) {
  keep(by_canonical_, key.canonical, number);
  keep(by_fingerprint_, key.fingerprint, number);
}

void FunctionIndex::keep(Numbers& numbers, const std::string& text, std::uint32_t number) {
  if (text.empty()) return;
  const auto [place, is_new] = numbers.try_emplace(hash_of(text), number);
  if (!is_new) place->second = std::min(place->second, number);
}

std::optional<std::uint32_t> FunctionIndex::look_up(const Numbers& numbers, const std::string& text) {
  const auto found = text.empty() ? numbers.end() : numbers.find(hash_of(text));
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace actforge
