// Files of other versions.
#include "actforge/store/sqlite/schema.h"

#include <sys/wait.h>
#include <unistd.h>

#include "tests/store/sqlite_helpers.h"

namespace actforge {
namespace {

// A study as the first version left it: two trials, one of them with a result.
void make_version_1(const std::string& path) {
  SqliteDatabase database(path, {.create = true});
  SqliteTransaction transaction(database);
  run_schema_steps(database, 1);
  database.run("PRAGMA application_id = " + std::to_string(kStudyApplicationId));
  database.run("INSERT INTO study VALUES (1, 'old settings', '0.0.1', 12.5)");
  database.run(
      "INSERT INTO trials (number, expression, key, parents, origin, story, generation, seed, status, scores, score, "
      "attempt, worker, version, finish_order, asked, revision) VALUES (0, 'relu(x)', 'k0', '[]', 'initial', "
      "'[\"a\"]', 0, "
      "9, 'completed', '[0.75]', 0.75, 1, 'w', '0.0.1', 0, 13.5, 1)");
  database.run(
      "INSERT INTO trials (number, expression, key, parents, origin, story, generation, seed, status, attempt, worker, "
      "version, asked, revision) VALUES (1, 'tanh(x)', 'k1', '[0]', 'change', '[]', 1, 9, 'queued', 1, 'w', '0.0.1', "
      "14.5, "
      "2)");
  database.run("INSERT INTO curve VALUES (0, 1, 0.5, '{}')");
  transaction.commit();
}

void check_upgraded(Store& store) {
  EXPECT_EQ(store.header().settings, "old settings");
  EXPECT_EQ(store.header().created, 12.5);
  EXPECT_EQ(store.counts().trials, 2);
  EXPECT_EQ(store.counts().completed, 1);
  EXPECT_EQ(store.counts().queued, 1);
  EXPECT_EQ(store.find(0).value().outcome.scores, std::vector<double>{0.75});
  EXPECT_EQ(store.find(1).value().plan.parents, std::vector<std::int64_t>{0});
  EXPECT_EQ(store.curve(0).size(), 1u);
}

TEST(SqliteSchema, AnOldStudyIsBroughtUpToDate) {
  const StoreLocation at;
  make_version_1(at.place);
  EXPECT_TRUE(store_exists(at.place));
  const std::unique_ptr<Store> store = at.open();
  check_upgraded(*store);
  EXPECT_EQ(store->seconds(), 0);
  EXPECT_TRUE(store->events().empty());
  store->add_seconds(2);
  store->add_event("resumed", "");
  ClaimRequest request = {.worker = worker_of("w"), .budget = 10};
  const Trial trial = store->claim(request, propose_never()).trial;
  EXPECT_EQ(trial.number, 1);
  EXPECT_TRUE(store->finish(trial, request.worker, scored(1)));
  EXPECT_EQ(store->counts().completed, 2);
  EXPECT_EQ(store->counts().queued, 0);
  EXPECT_EQ(ask_number(at.place, "PRAGMA user_version"), newest_schema());
}

// Features that were measured before workers claimed them.
TEST(SqliteSchema, FeaturesOfAnOldStudyAreKept) {
  const StoreLocation at;
  make_version_1(at.place);
  {
    SqliteDatabase database(at.place, {});
    SqliteTransaction transaction(database);
    run_schema_steps(database, 4);
    database.run(
        "INSERT INTO features VALUES (3, 'fisher', 'k', 'exp(x)', 0, 'explodes', 0, x'7801030000000001', 0.0, "
        "1.5, '0.0.1')");
    transaction.commit();
  }
  const std::unique_ptr<Store> store = at.open();
  check_upgraded(*store);
  std::int64_t seen = 0;
  const std::vector<StudyFeatures> features = store->features("fisher", seen);
  ASSERT_EQ(features.size(), 1u);
  EXPECT_EQ(features[0].reason, "explodes");
  EXPECT_FALSE(store->claim_features({.group = "fisher", .expression = "exp(x)", .key = "k"}, worker_of("w")));
  EXPECT_TRUE(store->claim_features({.group = "fisher", .expression = "tanh(x)", .key = "l"}, worker_of("w")));
  EXPECT_EQ(store->retry_quarantined(), 0);  // it was not set aside, it has no spectrum
  EXPECT_EQ(store->workers(), std::vector<std::string>{"w"});
}

TEST(SqliteSchema, AnUpgradeHappensWhollyOrNotAtAll) {
  const StoreLocation at;
  make_version_1(at.place);
  run_sql(at.place, "CREATE TABLE tallies (in_the_way TEXT)");  // the middle of the second step fails
  EXPECT_NE(message_of([&] { at.open(); }).find("tallies already exists"), std::string::npos);
  EXPECT_EQ(ask_number(at.place, "PRAGMA user_version"), 1);
  EXPECT_EQ(ask_number(at.place, "SELECT count(*) FROM sqlite_schema WHERE name = 'events'"), 0);
  run_sql(at.place, "DROP TABLE tallies");
  check_upgraded(*at.open());
}

TEST(SqliteSchema, ManyUpgradeAtOnce) {
  const StoreLocation at;
  make_version_1(at.place);
  std::vector<pid_t> processes;
  for (int i = 0; i < 4; ++i) {
    processes.push_back(fork());
    if (processes.back() != 0) continue;
    const std::string message = message_of([&] { at.open()->add_event("opened", ""); });
    if (message != "no error") std::fprintf(stderr, "%s\n", message.c_str());
    _exit(message == "no error" ? 0 : 1);
  }
  for (const pid_t process : processes) {
    int status = 0;
    waitpid(process, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const std::unique_ptr<Store> store = at.open();
  check_upgraded(*store);
  EXPECT_EQ(store->events().size(), 4u);
}

TEST(SqliteSchema, ANewerStudyIsRefusedUntouched) {
  const StoreLocation at;
  at.create();
  run_sql(at.place, "PRAGMA user_version = 99");
  const std::string before = read_bytes(at.place);
  EXPECT_EQ(message_of([&] { at.open(); }),
            "code 4: '" + at.place +
                "' was made or upgraded by a newer actforge (schema version 99; this program "
                "knows 7); use the newer one");
  EXPECT_EQ(read_bytes(at.place), before);
}

TEST(SqliteSchema, AWorkerNoticesAnUpgradeUnderItsFeet) {
  const StoreLocation at;
  const std::unique_ptr<Store> store = at.create();
  run_sql(at.place, "PRAGMA user_version = 99");
  ClaimRequest request = {.worker = worker_of("w"), .budget = 10};
  EXPECT_NE(message_of([&] { store->claim(request, propose_never()); }).find("newer actforge"), std::string::npos);
}

TEST(SqliteSchema, EveryStepSaysWhatItAdds) {
  for (const SchemaStep& step : schema_steps()) EXPECT_FALSE(step.what.empty());
  EXPECT_GE(newest_schema(), 2);
}

}  // namespace
}  // namespace actforge
