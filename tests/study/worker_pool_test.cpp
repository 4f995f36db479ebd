// Real processes: of the pool, of what they start, and others that the pool must leave alone.
#include "actforge/study/worker_pool.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <thread>

#include "actforge/study/worker.h"
#include "tests/base/process.h"
#include "tests/data/scratch.h"

namespace actforge {
namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// The exits of all workers that a pool has.
std::vector<WorkerExit> wait_for_all(WorkerPool& pool) {
  std::vector<WorkerExit> exits;
  EXPECT_TRUE(soon([&] {
    for (WorkerExit& exit : pool.ended()) exits.push_back(std::move(exit));
    return pool.size() == 0;
  }));
  return exits;
}

// A child that is not the pool's, as a program that uses the library may have.
template <class Body>
pid_t fork_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  return child;
}

TEST(WorkerPool, TellsHowWorkersEnd) {
  WorkerPool pool(shell("echo oh dear >&2; exit 3"));
  pool.start();
  const std::vector<WorkerExit> exits = wait_for_all(pool);
  ASSERT_EQ(exits.size(), 1u);
  EXPECT_FALSE(exits[0].by_signal);
  EXPECT_EQ(exits[0].code, 3);
  EXPECT_EQ(exits[0].message, "oh dear\n");
}

// One that takes the place of another has its number and its GPU.
TEST(WorkerPool, WorkersKnowTheirPlaceAndTheirGpu) {
  const ScratchFolder scratch;
  const std::string seen = (scratch.path() / "seen").string();
  const auto sorted = [&] {
    std::vector<std::string> lines = lines_of(seen);
    std::ranges::sort(lines);
    return lines;
  };
  WorkerPool pool(shell("echo $ACTFORGE_WORKER $CUDA_VISIBLE_DEVICES >> " + seen + "; while test -d " +
                        scratch.path().string() + "; do test $ACTFORGE_WORKER = 1 && exit; sleep 0.02; done"),
                  "4, 6");
  for (int i = 0; i < 3; ++i) pool.start();
  std::vector<std::string> wanted = {"0 4", "1 6", "2 4"};
  ASSERT_TRUE(soon([&] { return sorted() == wanted && pool.ended().size() == 1; }));
  pool.start();
  wanted.insert(wanted.begin() + 1, "1 6");
  EXPECT_TRUE(soon([&] { return sorted() == wanted; }));
}

TEST(WorkerPool, WithoutGpusTheEnvironmentStays) {
  const ScratchFolder scratch;
  const ScopedVariable devices("CUDA_VISIBLE_DEVICES", "7");
  const std::string seen = (scratch.path() / "seen").string();
  WorkerPool pool(shell("echo $ACTFORGE_WORKER $CUDA_VISIBLE_DEVICES > " + seen));
  pool.start();
  wait_for_all(pool);
  EXPECT_EQ(lines_of(seen), std::vector<std::string>{"0 7"});
}

TEST(WorkerPool, StopsPolitelyOrNot) {
  const ScratchFolder scratch;
  const std::string ready = (scratch.path() / "ready").string();
  WorkerPool pool(shell("trap 'exit 5' TERM; echo $$ >> " + ready + "; while :; do sleep 0.02; done"));
  for (int i = 0; i < 2; ++i) pool.start();
  ASSERT_TRUE(soon([&] { return lines_of(ready).size() == 2; }));
  for (const std::string& name : pool.names()) EXPECT_TRUE(worker_is_alive(name));
  pool.stop(false);
  for (const WorkerExit& exit : wait_for_all(pool)) EXPECT_EQ(exit.code, 5);
  pool.start();
  ASSERT_TRUE(soon([&] { return lines_of(ready).size() == 3; }));
  pool.stop(true);
  const std::vector<WorkerExit> exits = wait_for_all(pool);
  ASSERT_EQ(exits.size(), 1u);
  EXPECT_TRUE(exits[0].by_signal);
  EXPECT_EQ(exits[0].code, SIGKILL);
}

// A pool inside of somebody else's program: what that has started stays, alive or waiting to be reaped.
TEST(WorkerPool, LeavesOtherChildrenAlone) {
  const pid_t alive = fork_child([] { pause(); });
  const pid_t ended = fork_child([] { _exit(7); });
  {
    WorkerPool pool(shell("exit 1"));
    pool.start();
    wait_for_all(pool);
    pool.start();
  }
  EXPECT_TRUE(is_there(alive));
  int status = 0;
  EXPECT_EQ(waitpid(ended, &status, WNOHANG), ended);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  kill(alive, SIGKILL);
  EXPECT_EQ(waitpid(alive, &status, 0), alive);
}

TEST(WorkerPool, LeavesTheProcessAsItIs) {
  WorkerPool pool(shell("exit 0"));
  pool.start();
  wait_for_all(pool);
  int is_subreaper = -1;
  prctl(PR_GET_CHILD_SUBREAPER, &is_subreaper);
  EXPECT_EQ(is_subreaper, 0);
}

// What a worker starts: in its group, in a group of its own, in a session of its own, and below a process that is gone.
std::string family(const std::string& list) {
  return "sleep 300 & echo $! >> " + list + "; setsid sh -c 'echo $$ >> " + list +
         "; exec sleep 300' & (setsid sh -c 'sleep 300 & echo $! >> " + list + "') & echo $$ >> " + list +
         "; while :; do sleep 0.02; done";
}

TEST(WorkerPool, WhatAWorkerStartedIsGoneWithThePool) {
  const ScratchFolder scratch;
  const std::string list = (scratch.path() / "processes").string();
  {
    WorkerPool pool(shell(family(list)));
    pool.start();
    ASSERT_TRUE(soon([&] { return lines_of(list).size() == 4; }));
  }
  for (const std::string& process : lines_of(list)) EXPECT_FALSE(is_there(std::stoi(process))) << process;
}

TEST(WorkerPool, WhatAKilledWorkerStartedIsGoneWithIt) {
  const ScratchFolder scratch;
  const std::string list = (scratch.path() / "processes").string();
  WorkerPool pool(shell(family(list)));
  pool.start();
  ASSERT_TRUE(soon([&] { return lines_of(list).size() == 4; }));
  const std::string name = pool.names()[0];
  const std::string process = name.substr(0, name.rfind(':'));
  kill(std::stoi(process.substr(process.rfind(':') + 1)), SIGKILL);
  const std::vector<WorkerExit> exits = wait_for_all(pool);
  ASSERT_EQ(exits.size(), 1u);
  EXPECT_TRUE(exits[0].by_signal);
  EXPECT_EQ(exits[0].code, SIGKILL);
  EXPECT_EQ(exits[0].worker, name);
  for (const std::string& one : lines_of(list)) EXPECT_FALSE(is_there(std::stoi(one))) << one;
}

// A program that does not want to know how its children end.
TEST(WorkerPool, WorksWhereChildrenAreIgnored) {
  struct sigaction ignore = {}, before = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGCHLD, &ignore, &before);
  WorkerPool pool(shell("exit 4"));
  pool.start();
  const std::vector<WorkerExit> exits = wait_for_all(pool);
  sigaction(SIGCHLD, &before, nullptr);
  ASSERT_EQ(exits.size(), 1u);
  EXPECT_FALSE(exits[0].by_signal);
  EXPECT_EQ(exits[0].code, 4);
}

}  // namespace
}  // namespace actforge
