// Real processes, and what becomes of them when their owner, their keeper or a thread ends.
#include "actforge/base/child_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <thread>

#include "tests/base/process.h"
#include "tests/data/scratch.h"

namespace actforge {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

int parent_of(int process) {
  const std::string text = text_of("/proc/" + std::to_string(process) + "/stat");
  return std::stoi(text.substr(text.rfind(')') + 4));
}

// Another process that owns a child; killed, it leaves it.
template <class Body>
pid_t fork_owner(Body body) {
  const pid_t owner = fork();
  if (owner == 0) {
    body();
    _exit(0);
  }
  return owner;
}

TEST(ChildProcess, TellsHowItEnded) {
  ChildProcess exits({.command = shell("exit 9")});
  EXPECT_GT(exits.id(), 0);
  const ChildEnd exit = exits.wait();
  EXPECT_FALSE(exit.by_signal);
  EXPECT_EQ(exit.code, 9);
  EXPECT_TRUE(exits.has_ended());
  ChildProcess is_killed({.command = shell("kill -SEGV $$")});
  const ChildEnd killed = is_killed.wait();
  EXPECT_TRUE(killed.by_signal);
  EXPECT_EQ(killed.code, SIGSEGV);
  EXPECT_EQ(ChildProcess({.command = {"/there/is/no/such/program"}}).wait().code, 127);
  EXPECT_EQ(ChildProcess({.command = shell("exit 1"), .directory = "/there/is/no/such/folder"}).wait().code, 126);
}

TEST(ChildProcess, HasAGroupOfItsOwn) {
  ChildProcess child({.command = {"/bin/sleep", "300"}});
  EXPECT_TRUE(soon([&] { return getpgid(child.id()) == child.id(); }));
  EXPECT_FALSE(child.has_ended());
}

TEST(ChildProcess, IsGoneWithItsObject) {
  int process = 0;
  {
    const ChildProcess child({.command = {"/bin/sleep", "300"}});
    process = child.id();
    EXPECT_TRUE(is_there(process));
  }
  EXPECT_FALSE(is_there(process));
}

TEST(ChildProcess, CanBeMoved) {
  ChildProcess first({.command = shell("exit 1")}), second({.command = {"/bin/sleep", "300"}});
  const int process = second.id();
  first = std::move(second);
  EXPECT_EQ(first.id(), process);
  EXPECT_TRUE(is_there(process));
  const ChildProcess third = std::move(first);
  EXPECT_EQ(third.id(), process);
  EXPECT_TRUE(is_there(process));
}

TEST(ChildProcess, TakesStandardFilesOfAnyNumber) {
  const ScratchFolder scratch;
  const std::string in = (scratch.path() / "in").string(), out = (scratch.path() / "out").string();
  std::ofstream(in) << "from the file\n";
  const pid_t owner = fork_owner([&] {
    close(0);
    close(1);
    const int input = open(in.c_str(), O_RDONLY | O_CLOEXEC),
              output = open(out.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    // Crossed: each has the number that the other is to get.
    ChildProcess({.command = shell("cat"), .input = input, .output = output}).wait();
    const int other = dup(output);
    ChildProcess({.command = shell("echo error >&2; echo nowhere"), .errors = other}).wait();
  });
  waitpid(owner, nullptr, 0);
  EXPECT_EQ(text_of(out), "from the file\nerror\n");
}

TEST(ChildProcess, DiesWithItsOwner) {
  const ScratchFolder scratch;
  const std::string list = (scratch.path() / "process").string();
  const pid_t owner = fork_owner([&] {
    const ChildProcess child({.command = shell("trap '' TERM; sleep 300 & echo $! > " + list + "; wait")});
    pause();
  });
  ASSERT_TRUE(soon([&] { return text_of(list).ends_with('\n'); }));
  kill(owner, SIGKILL);
  waitpid(owner, nullptr, 0);
  EXPECT_TRUE(is_soon_gone(text_of(list)));
}

// With a grace it is asked first, and may finish what it is at.
TEST(ChildProcess, IsAskedToStopWhereItsOwnerDies) {
  const ScratchFolder scratch;
  const std::string ready = (scratch.path() / "ready").string(), done = (scratch.path() / "done").string();
  const std::string script = "trap 'sleep 0.1; echo finished > " + done + "; exit' TERM; echo $$ > " + ready +
                             "; while :; do sleep 0.02; done";
  const pid_t owner = fork_owner([&] {
    const ChildProcess child({.command = shell(script), .grace = 15});
    pause();
  });
  ASSERT_TRUE(soon([&] { return text_of(ready).ends_with('\n'); }));
  kill(owner, SIGKILL);
  waitpid(owner, nullptr, 0);
  EXPECT_TRUE(soon([&] { return text_of(done) == "finished\n"; }));
  EXPECT_TRUE(is_soon_gone(text_of(ready)));
}

TEST(ChildProcess, IsKilledWhenTheGraceIsOver) {
  const ScratchFolder scratch;
  const std::string ready = (scratch.path() / "ready").string();
  const pid_t owner = fork_owner([&] {
    const ChildProcess child(
        {.command = shell("trap '' TERM; echo $$ > " + ready + "; while :; do sleep 0.02; done"), .grace = 0.2});
    pause();
  });
  ASSERT_TRUE(soon([&] { return text_of(ready).ends_with('\n'); }));
  kill(owner, SIGKILL);
  waitpid(owner, nullptr, 0);
  EXPECT_TRUE(is_soon_gone(text_of(ready)));
}

TEST(ChildProcess, OutlivesTheThreadThatStartedIt) {
  std::optional<ChildProcess> child;
  std::thread([&] { child.emplace(ChildOptions{.command = {"/bin/sleep", "300"}}); }).join();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(child->has_ended());
  EXPECT_TRUE(is_there(child->id()));
}

TEST(ChildProcess, AKilledKeeperTakesItAlong) {
  const ScratchFolder scratch;
  const std::string list = (scratch.path() / "process").string();
  ChildProcess child({.command = shell("sleep 300 & echo $! > " + list + "; wait")});
  ASSERT_TRUE(soon([&] { return text_of(list).ends_with('\n'); }));
  kill(parent_of(child.id()), SIGKILL);
  const ChildEnd end = child.wait();
  EXPECT_TRUE(end.by_signal);
  EXPECT_EQ(end.code, SIGKILL);
  EXPECT_TRUE(is_soon_gone(std::to_string(child.id())));
  EXPECT_TRUE(is_soon_gone(text_of(list)));
}

// A program that reaps all its children, whoever started them.
TEST(ChildProcess, MayBeReapedBySomebodyElse) {
  ChildProcess child({.command = shell("exit 6")});
  EXPECT_GT(waitpid(-1, nullptr, 0), 0);
  const ChildEnd end = child.wait();
  EXPECT_FALSE(end.by_signal);
  EXPECT_EQ(end.code, 6);
}

}  // namespace
}  // namespace actforge
