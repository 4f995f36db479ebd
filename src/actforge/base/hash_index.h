#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "actforge/base/hash.h"

namespace actforge {

// Numbers by their hashes: a flat table with open addressing, for millions of entries. Hashes are random already, so
// their low bits are the slot; a collision goes to the next one.
class HashIndex {
 public:
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  // The number kept under a hash; kNone where there is none.
  std::uint32_t find(const Hash128& hash) const {
    if (slots_.empty()) return kNone;
    for (std::size_t at = hash.low & mask();; at = (at + 1) & mask()) {
      if (slots_[at].value == kNone || slots_[at].hash == hash) return slots_[at].value;
    }
  }

  // Keeps `value`, which is not kNone, unless there is a number already; gives the one that is kept.
  std::uint32_t insert(const Hash128& hash, std::uint32_t value) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    std::size_t at = hash.low & mask();
    while (slots_[at].value != kNone) {
      if (slots_[at].hash == hash) return slots_[at].value;
      at = (at + 1) & mask();
    }
    slots_[at] = {hash, value};
    ++size_;
    return value;
  }

  void erase(const Hash128& hash) {
    if (slots_.empty()) return;
    std::size_t hole = hash.low & mask();
    while (slots_[hole].value != kNone && slots_[hole].hash != hash) hole = (hole + 1) & mask();
    if (slots_[hole].value == kNone) return;
    --size_;
    // Entries that follow and had been displaced past the hole move back into it.
    for (std::size_t at = (hole + 1) & mask(); slots_[at].value != kNone; at = (at + 1) & mask()) {
      const std::size_t home = slots_[at].hash.low & mask();
      if (((at - home) & mask()) < ((at - hole) & mask())) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole].value = kNone;
  }

  void clear() {
    slots_.assign(slots_.size(), Slot{});
    size_ = 0;
  }

  std::size_t size() const { return size_; }

 private:
  struct Slot {
    Hash128 hash = {};
    std::uint32_t value = kNone;
  };

  std::size_t mask() const { return slots_.size() - 1; }

  void grow() {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : 2 * slots_.size()));
    size_ = 0;
    for (const Slot& slot : old) {
      if (slot.value != kNone) insert(slot.hash, slot.value);
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace actforge
