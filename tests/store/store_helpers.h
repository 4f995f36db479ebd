#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "actforge/store/backends.h"
#include "tests/data/scratch.h"

namespace actforge {

// The shared tests, those with TEST_P, run for every backend of the table, each at a place of its own: a row here too.
inline std::string place_of(const StoreBackend& backend, const ScratchFolder& folder) {
  if (backend.name == "sqlite") return (folder.path() / "study.db").string();
  ADD_FAILURE() << "where do tests keep a study of the backend '" << backend.name << "'?";
  return {};
}

inline StudyHeader test_header() { return {.settings = "seed = 7\n", .version = "1.2.3", .created = 1000.5}; }

// A plan whose key and fingerprint nobody else has.
inline TrialPlan test_plan(std::int64_t i) {
  const std::string name = std::to_string(i);
  return {.expression = "relu(x)*" + name, .key = "key" + name, .fingerprint = "values" + name, .origin = "initial"};
}

inline Proposer propose_plan(const TrialPlan& plan) {
  return [plan](const std::vector<Trial>&, std::int64_t) { return Proposal{.plan = plan}; };
}

inline Proposer propose_next() {
  return [](const std::vector<Trial>&, std::int64_t number) { return Proposal{.plan = test_plan(number)}; };
}

inline Proposer propose_never() {
  return [](const std::vector<Trial>&, std::int64_t) -> Proposal {
    ADD_FAILURE() << "nothing was to be proposed";
    return {.kind = Proposal::Kind::kWait};
  };
}

inline WorkerName worker_of(const std::string& name) { return {.name = name, .version = "2.0", .lease = 60}; }

inline TrialOutcome scored(double score) { return {.scores = {score}, .metrics = R"({"loss":0.5})", .seconds = 3}; }

inline std::vector<std::int64_t> numbers_of(const std::vector<Trial>& trials) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(trials.size());
  for (const Trial& trial : trials) numbers.push_back(trial.number);
  return numbers;
}

// A place for a study, and a clock that stands still until it is moved.
class StoreLocation {
 public:
  explicit StoreLocation(const StoreBackend& backend = store_backends().front()) : place(place_of(backend, folder)) {
    options.clock = [this] { return time; };
    options.busy_timeout = 10;
  }

  std::unique_ptr<Store> create() const { return create_store(place, test_header(), options); }
  std::unique_ptr<Store> open() const { return open_store(place, options); }

  ScratchFolder folder;
  std::string place;
  double time = 5000;
  StoreOptions options;
};

class StoreTest : public testing::TestWithParam<StoreBackend> {
 protected:
  StoreTest() : at(GetParam()), store(at.create()) {}

  // A new trial, or a queued one.
  Trial take(const std::string& worker) {
    request_.worker = worker_of(worker);
    const Claim claim = store->claim(request_, propose_next());
    EXPECT_EQ(claim.kind, Claim::Kind::kTrial);
    return claim.trial;
  }
  Trial found(std::int64_t number) const { return store->find(number).value_or(Trial{.number = -1}); }

  StoreLocation at;
  std::unique_ptr<Store> store;

 private:
  ClaimRequest request_ = {.budget = 1'000'000};
};

// As GoogleTest names a parameter: not by its bytes, which differ from run to run.
inline void PrintTo(const StoreBackend& backend, std::ostream* out) { *out << backend.name; }

inline std::string backend_name(const testing::TestParamInfo<StoreBackend>& info) {
  return std::string(info.param.name);
}

}  // namespace actforge
