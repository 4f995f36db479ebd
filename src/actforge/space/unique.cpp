#include "actforge/space/unique.h"

#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/base/hash_index.h"
#include "actforge/base/parallel.h"
#include "actforge/space/function_source.h"

namespace actforge {
namespace {

// Functions that are looked at between two looks at the clock: about the same work for any number of inputs.
std::size_t chunk_size(std::size_t inputs) {
  constexpr std::size_t kOutputs = std::size_t{1} << 23, kLeast = 32, kMost = std::size_t{1} << 13;
  return std::clamp(kOutputs / std::max<std::size_t>(1, inputs), kLeast, kMost);
}

std::uint64_t functions_to_compare(const Space& space, const UniqueOptions& options) {
  if (options.fingerprint.inputs == 0)
    throw Error(ErrorCode::kBadInput, "functions are compared at one input at least");
  if (options.count && *options.count < 0) throw Error(ErrorCode::kBadInput, "a negative number of functions");
  if (options.from < 0 || options.from > space.total()) {
    throw Error(ErrorCode::kBadInput,
                "there is no function " + with_commas(options.from) + ": the space has " + with_commas(space.total()));
  }
  Integer count = space.total() - options.from;
  if (options.count && *options.count < count) count = *options.count;
  if (count > kMostCompared) {
    throw Error(ErrorCode::kBadInput, with_commas(count) +
                                          " functions are too many to compare with each other; at most " +
                                          with_commas(kMostCompared) + " at a time; take a range of the space");
  }
  return static_cast<std::uint64_t>(count);
}

// A thread costs a copy of all canonical forms, which a few functions are not worth.
std::size_t useful_threads(std::size_t wanted, std::uint64_t functions) {
  constexpr std::uint64_t kFewest = 512;
  return std::min<std::size_t>(thread_count(wanted), 1 + functions / kFewest);
}

// Functions arrive chunk by chunk. Threads share a chunk; they look up canonical forms of earlier chunks and evaluate
// the new ones. Classes are then made by one thread, in the order of the functions, so that the answer is the same
// whatever the number of threads.
class Comparison {
 public:
  Comparison(const Space& space, const UniqueOptions& options)
      : options_(options),
        total_(functions_to_compare(space, options)),
        threads_(useful_threads(options.run.threads, total_)) {
    Integer to = options.from;
    to += total_;
    auto sources =
        can_share(space)
            ? shared_sources(space,
                             {.fingerprint = options.fingerprint, .threads = threads_, .from = options.from, .to = to})
            : plain_sources(space, options.fingerprint);
    for (std::size_t i = 0; i < threads_; ++i) sources_.push_back(sources->make());
    shared_ = std::move(sources);
  }

  UniqueFunctions run() {
    result_.total = total_;
    chunk_.resize(std::min<std::uint64_t>(chunk_size_, total_));
    for (std::uint64_t done = 0; done < total_; done += chunk_size_) {
      const std::size_t size = std::min<std::uint64_t>(chunk_size_, total_ - done);
      parallel_for(threads_, size, [&](std::size_t begin, std::size_t end, std::size_t thread) {
        Integer index = options_.from;
        index += done + begin;
        for (std::size_t i = begin; i < end; ++i, ++index) chunk_[i] = look(*sources_[thread], index, thread);
        sources_[thread]->forget();
        shares_[thread] = {};
      });
      for (std::size_t i = 0; i < size; ++i) classify(chunk_[i], static_cast<std::uint32_t>(done + i));
      options_.run.show("functions", done + size, total_);
    }
    result_.unique = class_count_;
    return std::move(result_);
  }

 private:
  struct Seen {
    Hash128 canonical;
    Hash128 fingerprint = {};  // not of those whose canonical form came in an earlier chunk
  };

  // What a thread has evaluated of the present chunk.
  struct Share {
    HashIndex by_canonical;
    std::vector<Hash128> fingerprints;
  };

  Seen look(FunctionSource& source, const Integer& index, std::size_t thread) {
    Seen seen{.canonical = source.canonical_hash(index)};
    if (by_canonical_.find(seen.canonical) != HashIndex::kNone) return seen;
    Share& share = shares_[thread];
    const auto next = static_cast<std::uint32_t>(share.fingerprints.size());
    const std::uint32_t place = share.by_canonical.insert(seen.canonical, next);
    if (place == next) share.fingerprints.push_back(source.fingerprint());
    seen.fingerprint = share.fingerprints[place];
    return seen;
  }

  void classify(const Seen& seen, std::uint32_t offset) {
    std::uint32_t number = by_canonical_.find(seen.canonical);
    if (number == HashIndex::kNone) {
      ++result_.evaluated;
      number = by_fingerprint_.insert(seen.fingerprint, class_count_);
      by_canonical_.insert(seen.canonical, number);
      if (number == class_count_) {
        ++class_count_;
        if (options_.keep_classes) {
          result_.representatives.push_back(offset);
          result_.fingerprints.push_back(seen.fingerprint);
        }
      }
    }
    if (options_.keep_classes) result_.class_of.push_back(number);
  }

  const UniqueOptions& options_;
  std::uint64_t total_;
  std::size_t threads_;
  std::size_t chunk_size_ = chunk_size(options_.fingerprint.inputs);
  std::unique_ptr<FunctionSources> shared_;
  std::vector<std::unique_ptr<FunctionSource>> sources_;
  std::vector<Share> shares_ = std::vector<Share>(threads_);
  std::vector<Seen> chunk_;
  HashIndex by_canonical_;
  HashIndex by_fingerprint_;
  std::uint32_t class_count_ = 0;
  UniqueFunctions result_;
};

}  // namespace

UniqueFunctions find_unique(const Space& space, const UniqueOptions& options) {
  return Comparison(space, options).run();
}

std::vector<std::vector<std::uint32_t>> UniqueFunctions::members() const {
  std::vector<std::vector<std::uint32_t>> lists(representatives.size());
  for (std::uint32_t i = 0; i < class_of.size(); ++i) lists[class_of[i]].push_back(i);
  return lists;
}

}  // namespace actforge
