#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "actforge/space/fingerprint.h"

namespace actforge {

// How equal functions are told, in memory and in stores: by canonical form, and by values. As texts, which are the same
// on every machine; an empty one equals nothing.
struct FunctionKey {
  std::string canonical = {};
  std::string fingerprint = {};
};

// Fingerprint texts begin with it. Whatever changes fingerprints changes the version, so that old and new ones never
// meet. 1 had no prefix: it depended on the machine's instruction set. 2 looked at [-5, 5] alone.
inline constexpr std::string_view kFingerprintVersion = "3:";
// What they are made with.
inline constexpr FingerprintOptions kKeyFingerprint = {.far = true};

FunctionKey function_key(const Hash128& canonical, const Hash128& fingerprint);
// How texts of fingerprints begin that tell functions apart in this way.
std::string fingerprint_prefix(Sameness sameness);

// The canonical form alone, at a fraction of the cost.
std::string canonical_key(const Expr& expr);

class FunctionKeys {
 public:
  explicit FunctionKeys(Sameness sameness = Sameness::kOutputs) : sameness_(sameness) {}
  FunctionKey operator()(const Expr& expr) const;
  // Whether a fingerprint was made by another version, or tells functions apart in another way: it says nothing, and is
  // computed anew from the expression. None is not outdated.
  bool is_outdated(std::string_view fingerprint) const;

 private:
  Sameness sameness_;
  Fingerprinter fingerprint_{kKeyFingerprint};
};

// The same form, or the same values.
bool is_same_function(const FunctionKey& a, const FunctionKey& b);

// Numbers of functions by their keys.
class FunctionIndex {
 public:
  // The lowest number of an equal function.
  std::optional<std::uint32_t> find(const FunctionKey& key) const;
  // Every form and fingerprint is kept, that of equal functions too: a third one may equal the second alone.
  void add(const FunctionKey& key, std::uint32_t number);

 private:
  using Numbers = std::unordered_map<Hash128, std::uint32_t>;
  static void keep(Numbers& numbers, const std::string& text, std::uint32_t number);
  static std::optional<std::uint32_t> look_up(const Numbers& numbers, const std::string& text);

  Numbers by_canonical_, by_fingerprint_;
};

}  // namespace actforge
