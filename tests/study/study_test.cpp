// Studies as workers find them; who holds a trial, and for how long.
#include "actforge/study/study.h"
#include "actforge/base/version.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "actforge/search/settings/study_file.h"
#include "actforge/study/heartbeat.h"
#include "tests/search/study_helpers.h"

namespace actforge {
namespace {

TEST(Study, OpensWithTheSettingsItWasMadeWith) {
  StudySettings settings = quick_settings("cafe", 0);
  settings.options["threshold"] = "-1";
  settings.attempts = 7;
  settings.time = "1h30m";
  const TestStudy study(settings);
  const OpenStudy open = open_study(study.place);
  EXPECT_EQ(study_toml(open.settings, true), study_toml(settings, true));
  EXPECT_EQ(open.store->header().version, software_version());
  EXPECT_GT(open.store->header().created, 1.7e9);
}

TEST(Study, IsNotMadeFromSettingsThatCannotBe) {
  const ScratchFolder folder;
  const std::string place = (folder.path() / "study.db").string();
  const auto complaint = [&](const std::function<void(StudySettings&)>& change) {
    StudySettings settings = quick_settings("random", 10);
    change(settings);
    const std::string message = message_of([&] { create_study(place, settings); });
    EXPECT_FALSE(std::filesystem::exists(place)) << message;
    return message;
  };
  EXPECT_TRUE(complaint([](auto& s) {
                s.space = "pangea";
              }).starts_with("[space] space 'pangea': unknown space 'pangea'; did you mean 'pangaea'?"));
  EXPECT_TRUE(
      complaint([](auto& s) { s.evaluate["target"] = "tahn(x)"; }).starts_with("code 2: [evaluate] target 'tahn(x)'"));
  EXPECT_TRUE(complaint([](auto& s) { s.strategy = "cafee"; }).starts_with("code 2: unknown strategy 'cafee'"));
  EXPECT_NE(complaint([](auto& s) { s.evaluator = "train", s.net = "alcnn-mini"; }), "no error");
  EXPECT_NE(complaint([](auto& s) { s.evaluator = "train", s.data = "digit"; }), "no error");
  EXPECT_NE(complaint([](auto& s) { s.evaluator = "train", s.train["schedule"] = "step"; }), "no error");
  // Written, it could not be read again.
  EXPECT_NE(complaint([](auto& s) { s.time = "\xff"; }), "no error");
}

TEST(Study, IsNotMadeTwice) {
  const TestStudy study(quick_settings("random", 10));
  EXPECT_TRUE(message_of([&] { create_study(study.place, study.settings); }).starts_with("code 4: "));
}

TEST(Study, SettingsThatCannotBeReadAreTheStoresFault) {
  const ScratchFolder folder;
  const std::string place = (folder.path() / "study.db").string();
  create_store(place, {.settings = "[study]\nsede = 1\n", .version = "1", .created = 1});
  const std::string message = message_of([&] { open_study(place); });
  EXPECT_TRUE(message.starts_with("code 4: the settings in '" + place + "' cannot be read: line 2: ")) << message;
}

TEST(Study, GoesOnWithWhatMayChange) {
  const StudySettings stored = quick_settings("random", 10);
  StudySettings wanted = stored;
  wanted.trials = 20;
  wanted.workers = 4;
  wanted.attempts = 9;
  wanted.time = "2d";
  const StudySettings settings = continued_settings(stored, wanted);
  EXPECT_EQ(settings.trials, 20u);
  EXPECT_EQ(settings.attempts, 9u);
  wanted.seed = 77;
  wanted.options["population"] = "3";
  const std::string message = message_of([&] { continued_settings(stored, wanted); });
  EXPECT_TRUE(
      message.starts_with("code 2: this study was begun with other settings:\n  [study] seed: '5' there, '77' "
                          "here\n  [strategy] population: '64' there, '3' here\n"))
      << message;
}

TEST(Study, SeedsOfTrialsAreTheStudysOwn) {
  StudySettings settings = quick_settings("random", 10);
  std::set<std::uint64_t> seeds;
  for (std::int64_t number = 0; number < 100; ++number) seeds.insert(trial_seed(settings, number));
  EXPECT_EQ(seeds.size(), 100u);
  EXPECT_EQ(trial_seed(settings, 3), trial_seed(quick_settings("pangaea", 20), 3));
  settings.seed += 1;
  EXPECT_FALSE(seeds.contains(trial_seed(settings, 3)));
}

TEST(WorkerNames, ThisProcessIsAlive) {
  const std::string name = worker_name();
  EXPECT_NE(name.find(":" + std::to_string(getpid()) + ":"), std::string::npos) << name;
  EXPECT_EQ(worker_name(getpid()), name);
  EXPECT_TRUE(worker_is_alive(name));
  // The same number, but another process.
  EXPECT_FALSE(worker_is_alive(name + "0"));
  const std::string start = name.substr(name.rfind(':'));
  const std::string host = name.substr(0, name.find(":" + std::to_string(getpid()) + ":"));
  EXPECT_FALSE(worker_is_alive(host + ":999999999" + start));
}

TEST(WorkerNames, OthersCountAsAlive) {
  for (const char* name : {"elsewhere:1:1", "", ":", "::", "somebody", "a:b", "localhost.example:12:x"}) {
    EXPECT_TRUE(worker_is_alive(name)) << name;
  }
  const std::string name = worker_name();
  const std::string host = name.substr(0, name.find(":" + std::to_string(getpid()) + ":"));
  EXPECT_TRUE(worker_is_alive(host + ":one:2"));
  EXPECT_TRUE(worker_is_alive(host + "::2"));
}

TEST(WorkerNames, AKilledProcessIsDeadBeforeAndAfterItIsAskedFor) {
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  const std::string name = worker_name(child);
  EXPECT_TRUE(worker_is_alive(name));
  kill(child, SIGKILL);
  siginfo_t info = {};
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  EXPECT_FALSE(worker_is_alive(name));
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(worker_is_alive(name));
}

Claim claim_one(const TestStudy& study, const WorkerName& worker) {
  ClaimRequest request = {.worker = worker, .budget = 100};
  Proposals proposals(study.settings);
  return study.store->claim(request,
                            [&](const auto& changes, std::int64_t number) { return proposals(changes, number); });
}

TEST(Heartbeat, KeepsAClaimForLongerThanItsLease) {
  const TestStudy study(quick_settings("random", 10));
  const WorkerName worker = {.name = "worker", .version = "1", .lease = 2};
  const Claim claim = claim_one(study, worker);
  const Heartbeat heartbeat(study.place, claim.trial, worker);
  std::this_thread::sleep_for(std::chrono::milliseconds(3000));
  EXPECT_EQ(study.store->release_expired(), 0);
  EXPECT_FALSE(heartbeat.lost());
  EXPECT_EQ(study.trial(0).status(), TrialStatus::kRunning);
}

TEST(Heartbeat, NoticesThatAClaimIsLost) {
  const TestStudy study(quick_settings("random", 10));
  const WorkerName worker = {.name = "worker", .version = "1", .lease = 0.2};
  const Claim claim = claim_one(study, worker);
  study.store->release_dead("worker");
  const Heartbeat heartbeat(study.place, claim.trial, worker);
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!heartbeat.lost() && std::chrono::steady_clock::now() < limit) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_TRUE(heartbeat.lost());
}

TEST(Heartbeat, EndsAtOnceAndSurvivesAStoreThatIsGone) {
  const TestStudy study(quick_settings("random", 10));
  const WorkerName slow = {.name = "worker", .version = "1", .lease = 1e6};
  const Claim claim = claim_one(study, slow);
  const auto begin = std::chrono::steady_clock::now();
  { const Heartbeat heartbeat(study.place, claim.trial, slow); }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
  const WorkerName quick = {.name = "worker", .version = "1", .lease = 0.04};
  const Heartbeat heartbeat((study.folder.path() / "none.db").string(), claim.trial, quick);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(heartbeat.lost());
}

}  // namespace
}  // namespace actforge
