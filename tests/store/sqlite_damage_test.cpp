// Files that something else has written to: a clear error or an answer, never a crash.
#include <functional>

#include "actforge/base/random.h"
#include "tests/store/sqlite_helpers.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

class SqliteDamageTest : public testing::Test {
 protected:
  SqliteDamageTest() {
    at.options.busy_timeout = 0;
    std::unique_ptr<Store> store = at.create();
    fill(*store, 40);
    for (const char* key : {"a", "b", "c"}) {
      store->add_features(
          {.group = "fisher", .expression = "relu(x)", .key = key, .values = std::vector<float>(500, 0.5f)});
    }
    store.reset();  // what is written goes into the file itself
    whole = read_bytes(at.place);
  }

  // Everything that a store can be asked and told. Whether opening worked, and how many calls failed.
  struct Reaction {
    bool opened = false;
    int errors = 0;
  };
  Reaction use_all() const {
    Reaction reaction;
    std::unique_ptr<Store> store;
    const auto attempt = [&](const std::function<void()>& call) {
      try {
        call();
        return true;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kStorage) << error.what();
        EXPECT_NE(std::string(error.what()).find(at.place), std::string::npos) << error.what();
        ++reaction.errors;
        return false;
      }
    };
    reaction.opened = attempt([&] { store = at.open(); });
    if (!reaction.opened) return reaction;
    ClaimRequest request = {.worker = worker_of("x"), .budget = 1000};
    Trial trial;
    std::int64_t seen = 0;
    const std::function<void()> calls[] = {
        [&] { store->header(); },
        [&] {
          std::int64_t known = 0;
          store->features("fisher", known);
        },
        [&] { store->counts(); },
        [&] { store->changes(seen); },
        [&] { store->top(100); },
        [&] { store->each([](const Trial&) {}); },
        [&] { store->workers(); },
        [&] { store->scores_at(2, 1); },
        [&] { store->events(); },
        [&] { store->seconds(); },
        [&] { store->find(20); },
        [&] { store->curve(20); },
        [&] { trial = store->claim(request, propose_next()).trial; },
        [&] { store->add_point(trial, request.worker, {.epoch = 1, .score = 1}); },
        [&] { store->beat(trial, request.worker); },
        [&] { store->finish(trial, request.worker, scored(1)); },
        [&] { store->release_dead("w"); },
        [&] { store->release(trial, request.worker, "x"); },
        [&] { store->release_expired(); },
        [&] { store->claim_features({.group = "fisher", .key = "d"}, request.worker); },
        [&] { store->retry_quarantined(); },
        [&] { store->add_event("a", "b"); },
        [&] { store->add_seconds(1); }};
    for (const auto& call : calls) attempt(call);
    return reaction;
  }

  void put(const std::string& bytes) const {
    for (const char* ending : {"-wal", "-shm", "-journal"}) fs::remove(at.place + ending);
    write_bytes(at.place, bytes);
  }

  StoreLocation at;
  std::string whole;
};

TEST_F(SqliteDamageTest, TheWholeFileWorks) {
  const Reaction reaction = use_all();
  EXPECT_TRUE(reaction.opened);
  EXPECT_EQ(reaction.errors, 0);
}

TEST_F(SqliteDamageTest, ATruncatedFileIsRefused) {
  for (std::size_t size = 0; size < whole.size(); size += size < 1024 ? 37 : 1531) {
    put(whole.substr(0, size));
    EXPECT_FALSE(use_all().opened) << size;
    EXPECT_EQ(read_bytes(at.place).size(), size) << "a refused file is left alone";
  }
}

TEST_F(SqliteDamageTest, ChangedBytes) {
  Random random(11);
  int noticed = 0;
  for (int i = 0; i < 300; ++i) {
    std::string bytes = whole;
    // A third where the file says what it is, and what its tables are.
    const std::size_t place = random.below(i % 3 == 0 ? 1024 : bytes.size());
    bytes[place] = static_cast<char>(bytes[place] ^ static_cast<char>(1 + random.below(255)));
    put(bytes);
    noticed += use_all().errors > 0;
  }
  EXPECT_GT(noticed, 10);
}

TEST_F(SqliteDamageTest, OverwrittenPages) {
  constexpr std::size_t kPage = 4096;
  Random random(12);
  for (std::size_t page = 0; page < whole.size() / kPage; ++page) {
    for (const bool zeros : {true, false}) {
      std::string bytes = whole;
      for (std::size_t i = 0; i < kPage; ++i) bytes[page * kPage + i] = zeros ? '\0' : static_cast<char>(random.next());
      put(bytes);
      use_all();
    }
  }
}

TEST_F(SqliteDamageTest, ChangedLog) {
  std::string main_file, log;
  {
    const std::unique_ptr<Store> store = at.open();
    store->release_dead("w");
    store->add_event("in the log", "");
    main_file = read_bytes(at.place);
    log = read_bytes(at.place + "-wal");
  }
  ASSERT_GT(log.size(), 4096u);
  Random random(13);
  for (int i = 0; i < 60; ++i) {
    put(main_file);
    std::string bytes = log;
    if (i % 2 == 0) {
      bytes.resize(random.below(bytes.size()));
    } else {
      bytes[random.below(bytes.size())] = static_cast<char>(random.next());
    }
    write_bytes(at.place + "-wal", bytes);
    EXPECT_TRUE(use_all().opened);  // at worst, as it was before those changes
  }
}

TEST_F(SqliteDamageTest, SaysWhichTrialIsDamaged) {
  struct Case {
    const char* change;
    const char* said;
  };
  const Case cases[] = {
      {"parents = '[1,'", "trial 5: its parents are not a list"},
      {"parents = '{}'", "trial 5: its parents are not a list"},
      {"parents = '[1.5]'", "trial 5: its parents are of another type"},
      {"parents = '[99]'", "trial 5: a parent is not an earlier trial"},
      {"story = '[1]'", "trial 5: the words of its story are of another type"},
      {"scores = '[1e999]'", "trial 5: its scores are not a list"},
      {"scores = '[null]'", "trial 5: its scores are of another type"},
      {"scores = '[]'", "trial 5: it has no score"},
      {"hyperparameters = '[]'", "trial 5: its hyperparameters are not an object"},
      {"hyperparameters = '{\"a\":1}'", "trial 5: its hyperparameters are not texts"},
      {"metrics = '[]'", "trial 5: its metrics are not a JSON object"},
  };
  for (const Case& test : cases) {
    put(whole);
    run_sql(at.place, std::string("UPDATE trials SET ") + test.change + " WHERE number = 5");
    EXPECT_EQ(message_of([&] { at.open()->find(5); }),
              "code 4: '" + at.place + "': the file is damaged (" + test.said + "); use a backup copy");
    std::int64_t seen = 3;
    EXPECT_THROW(at.open()->changes(seen), Error);
    EXPECT_EQ(seen, 3);
  }
}

TEST_F(SqliteDamageTest, AStudyWithoutItsSettings) {
  run_sql(at.place, "DELETE FROM study");
  EXPECT_NE(message_of([&] { at.open(); }).find("its settings are missing"), std::string::npos);
}

}  // namespace
}  // namespace actforge
