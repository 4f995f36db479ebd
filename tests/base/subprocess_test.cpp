// Real processes. Where a mistake would make a test wait for ever, a stop after half a minute turns it into a failure.
#include "actforge/base/subprocess.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <thread>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "tests/base/process.h"
#include "tests/data/scratch.h"

namespace actforge {
namespace {

using Kind = SubprocessEnd::Kind;
using Clock = std::chrono::steady_clock;

std::function<bool()> far_too_late() {
  return [limit = Clock::now() + std::chrono::seconds(30)] { return Clock::now() > limit; };
}

struct Ran {
  SubprocessEnd end;
  std::vector<std::string> lines;
};

Ran run(const std::string& command, SubprocessOptions options = {}) {
  Ran result;
  options.line = [&](std::string_view line) { result.lines.emplace_back(line); };
  if (!options.run.stop) options.run.stop = far_too_late();
  result.end = run_shell(command, options);
  return result;
}

using Lines = std::vector<std::string>;

TEST(Subprocess, TellsLinesInOrder) {
  const Ran result = run("echo one; echo; echo '  two  '; printf 'three\\r\\n'");
  EXPECT_EQ(result.end.kind, Kind::kExit);
  EXPECT_EQ(result.end.code, 0);
  EXPECT_EQ(result.end.errors, "");
  EXPECT_EQ(result.lines, (Lines{"one", "", "  two  ", "three\r"}));
}

TEST(Subprocess, TheLastLineMayLackItsEnd) {
  EXPECT_EQ(run("printf 'one\\ntwo'").lines, (Lines{"one", "two"}));
  EXPECT_EQ(run("printf 'one\\n'").lines, (Lines{"one"}));
  EXPECT_EQ(run("true").lines, Lines{});
}

TEST(Subprocess, LinesMayComeInPieces) {
  EXPECT_EQ(run("printf 'on'; sleep 0.1; printf 'e\\ntw'; sleep 0.1; echo o").lines, (Lines{"one", "two"}));
}

TEST(Subprocess, KeepsExitCodes) {
  for (const int code : {0, 1, 3, 126, 127, 255}) {
    const SubprocessEnd end = run("exit " + std::to_string(code)).end;
    EXPECT_EQ(end.kind, Kind::kExit);
    EXPECT_EQ(end.code, code);
  }
  const SubprocessEnd unknown = run("there-is-no-such-program-here").end;
  EXPECT_EQ(unknown.code, 127);
  EXPECT_NE(unknown.errors.find("not found"), std::string::npos);
}

TEST(Subprocess, TellsSignalsFromExits) {
  for (const int number : {SIGTERM, SIGKILL, SIGSEGV}) {
    const SubprocessEnd end = run("kill -" + std::to_string(number) + " $$; sleep 20").end;
    EXPECT_EQ(end.kind, Kind::kSignal);
    EXPECT_EQ(end.code, number);
  }
}

// A program that ignores the pipe's signal must not hand that down: `yes | head` would never end.
TEST(Subprocess, StartsWithTheUsualSignals) {
  struct sigaction ignore = {}, before = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before);
  const SubprocessEnd end = run("kill -PIPE $$").end;
  sigaction(SIGPIPE, &before, nullptr);
  EXPECT_EQ(end.kind, Kind::kSignal);
  EXPECT_EQ(end.code, SIGPIPE);
}

TEST(Subprocess, HasNothingToRead) { EXPECT_EQ(run("cat; echo end").lines, (Lines{"end"})); }

TEST(Subprocess, ATimeoutEndsTheWholeGroup) {
  const Ran result = run("sleep 300 & echo $!; (sleep 300 & echo $!; wait) & wait", {.timeout = 0.5});
  EXPECT_EQ(result.end.kind, Kind::kTimeout);
  ASSERT_EQ(result.lines.size(), 2u);
  for (const std::string& process : result.lines) EXPECT_TRUE(is_soon_gone(process)) << process;
}

TEST(Subprocess, ATimeoutTakesNoRefusal) {
  const Ran result = run("trap '' TERM INT HUP; echo $$; while :; do sleep 1; done", {.timeout = 0.3});
  EXPECT_EQ(result.end.kind, Kind::kTimeout);
  ASSERT_EQ(result.lines.size(), 1u);
  EXPECT_TRUE(is_soon_gone(result.lines[0]));
}

TEST(Subprocess, ATimeoutCountsWhileLinesPourIn) {
  EXPECT_EQ(run_shell("yes", {.timeout = 0.3, .run = {.stop = far_too_late()}}).kind, Kind::kTimeout);
}

TEST(Subprocess, NoTimeoutMeansNone) { EXPECT_EQ(run("sleep 0.3; exit 4").end.code, 4); }

TEST(Subprocess, StopsWhenAsked) {
  int asked = 0;
  const Ran result = run("echo $$; exec sleep 300", {.run = {.stop = [&] { return ++asked == 4; }}});
  EXPECT_EQ(result.end.kind, Kind::kStopped);
  EXPECT_EQ(asked, 4);
  ASSERT_EQ(result.lines.size(), 1u);
  EXPECT_TRUE(is_soon_gone(result.lines[0]));
}

TEST(Subprocess, WhatTheListenerThrowsPassesThrough) {
  std::string process;
  SubprocessOptions options = {.run = {.stop = far_too_late()}};
  options.line = [&](std::string_view line) {
    process = line;
    throw Error(ErrorCode::kFailed, "enough");
  };
  EXPECT_EQ(message_of([&] { run_shell("echo $$; exec sleep 300", options); }), "code 1: enough");
  EXPECT_TRUE(is_soon_gone(process));
}

TEST(Subprocess, AddsToTheEnvironment) {
  const ScopedVariable inherited("ACTFORGE_TEST_INHERITED", "mine"), replaced("ACTFORGE_TEST_REPLACED", "old");
  const std::string odd = "a b 'c' $d \"e\" \\ = ü";
  const Ran result =
      run("printf '%s\\n' \"$ACTFORGE_TEST_INHERITED\" \"$ACTFORGE_TEST_REPLACED\" \"$ACTFORGE_TEST_ADDED\"; "
          "sh -c 'echo $ACTFORGE_TEST_REPLACED'; env | grep -c ^ACTFORGE_TEST_REPLACED=",
          {.environment = {{"ACTFORGE_TEST_REPLACED", "new"}, {"ACTFORGE_TEST_ADDED", odd}}});
  EXPECT_EQ(result.lines, (Lines{"mine", "new", odd, "new", "1"}));
}

TEST(Subprocess, ALongLineIsCut) {
  const Ran result = run("head -c 10000000 /dev/zero | tr '\\0' a; echo; echo end");
  EXPECT_EQ(result.end.kind, Kind::kExit);
  EXPECT_EQ(result.end.code, 0);
  ASSERT_EQ(result.lines.size(), 2u);
  EXPECT_TRUE(result.lines[0] == std::string(1 << 20, 'a')) << result.lines[0].size();
  EXPECT_EQ(result.lines[1], "end");
  const Ran endless = run("head -c 10000000 /dev/zero | tr '\\0' b");
  ASSERT_EQ(endless.lines.size(), 1u);
  EXPECT_EQ(endless.lines[0].size(), std::size_t{1} << 20);
}

TEST(Subprocess, BothStreamsAreHeardAsTheyCome) {
  std::string heard;
  SubprocessOptions options;
  options.output = [&](std::string_view bytes) { heard += bytes; };
  EXPECT_EQ(run("echo one; sleep 0.2; echo two >&2; sleep 0.2; printf three", options).lines, (Lines{"one", "three"}));
  EXPECT_EQ(heard, "one\ntwo\nthree");
}

// A program that is asked, and what it answered.
class AskedProgramTest : public testing::Test {
 protected:
  void start(const std::string& command) { program = std::make_unique<AskedProgram>(command, SubprocessOptions()); }
  SubprocessEnd ask(const std::string& line, double timeout = 0) {
    answer.clear();
    SubprocessOptions options = {.timeout = timeout};
    options.run.stop = far_too_late();
    options.line = [&](std::string_view said) {
      if (said.starts_with("answer ")) answer = said.substr(7);
    };
    return program->ask(line, options, [&] { return !answer.empty(); });
  }

  std::unique_ptr<AskedProgram> program;
  std::string answer;
};

TEST_F(AskedProgramTest, IsStartedOnce) {
  start("echo hello; while read line; do echo noise; echo answer $$ $line; echo late >&2; done");
  EXPECT_EQ(ask("one").kind, Kind::kAnswered);
  const std::string process = answer.substr(0, answer.find(' '));
  EXPECT_EQ(answer, process + " one");
  EXPECT_EQ(ask("two  three").kind, Kind::kAnswered);
  EXPECT_EQ(answer, process + " two three");
  EXPECT_FALSE(program->has_ended());
  program.reset();  // the end of its input is its own
  EXPECT_TRUE(is_soon_gone(process));
}

TEST_F(AskedProgramTest, ItsEndIsNoAnswer) {
  start("read line; echo $line; echo alas >&2; exit 3");
  const SubprocessEnd end = ask("one");
  EXPECT_EQ(end.kind, Kind::kExit);
  EXPECT_EQ(end.code, 3);
  EXPECT_EQ(end.errors, "alas\n");
  EXPECT_TRUE(program->has_ended());
}

// SIGPIPE would end this process.
TEST_F(AskedProgramTest, MayReadNothing) {
  start("exec <&-; echo answer 1; sleep 0.2; echo answer 2; sleep 0.2; exit 4");
  EXPECT_EQ(ask("one").kind, Kind::kAnswered);
  EXPECT_EQ(ask(std::string(1 << 20, 'x')).kind, Kind::kAnswered);
  EXPECT_EQ(ask("three").code, 4);
}

TEST_F(AskedProgramTest, ALongQuestionDoesNotBlock) {
  start("while read line; do head -c 300000 /dev/zero; echo; echo answer $(printf %s $line | wc -c); done");
  EXPECT_EQ(ask(std::string(1 << 19, 'x')).kind, Kind::kAnswered);
  EXPECT_EQ(answer, std::to_string(1 << 19));
}

TEST_F(AskedProgramTest, IsGivenUpWhenItIsLate) {
  start("trap '' TERM; read line; echo answer $$; while true; do sleep 100; done");
  ask("one");
  const std::string process = answer;
  EXPECT_EQ(ask("two", 0.2).kind, Kind::kTimeout);
  program.reset();
  EXPECT_TRUE(is_soon_gone(process));
}

TEST(Subprocess, ManyLinesAllArrive) {
  const Ran result = run("seq 1 200000");
  ASSERT_EQ(result.lines.size(), 200000u);
  for (std::size_t i = 0; i < result.lines.size(); ++i) ASSERT_EQ(result.lines[i], std::to_string(i + 1));
}

TEST(Subprocess, KeepsTheEndOfTheErrors) {
  const SubprocessEnd end = run("echo first words >&2; seq 1 50000 >&2; echo last words >&2; exit 9").end;
  EXPECT_EQ(end.code, 9);
  EXPECT_TRUE(end.errors.ends_with("49999\n50000\nlast words\n"));
  EXPECT_EQ(end.errors.find("first words"), std::string::npos);
  EXPECT_GE(end.errors.size(), 4000u);
  EXPECT_LE(end.errors.size(), 10000u);
  EXPECT_EQ(run("echo one >&2; echo out; echo two >&2").end.errors, "one\ntwo\n");
}

TEST(Subprocess, BothStreamsMayBeFull) {
  const Ran result = run("seq 1 100000 >&2 & seq 1 100000; wait");
  EXPECT_EQ(result.lines.size(), 100000u);
  EXPECT_TRUE(result.end.errors.ends_with("\n100000\n"));
}

TEST(Subprocess, ClosedOutputIsNotTheEnd) {
  const Ran one = run("echo begin; exec >&-; sleep 0.3; echo late >&2; exit 7");
  EXPECT_EQ(one.end.code, 7);
  EXPECT_EQ(one.end.errors, "late\n");
  EXPECT_EQ(one.lines, (Lines{"begin"}));
  const Ran both = run("exec >&- 2>&-; sleep 0.3; exit 8");
  EXPECT_EQ(both.end.kind, Kind::kExit);
  EXPECT_EQ(both.end.code, 8);
  EXPECT_EQ(run("exec >&- 2>&-; sleep 300", {.timeout = 0.3}).end.kind, Kind::kTimeout);
}

TEST(Subprocess, ASilentChildLeftBehindIsEnded) {
  const Ran result = run("sleep 300 & echo $!; exit 5");
  EXPECT_EQ(result.end.kind, Kind::kExit);
  EXPECT_EQ(result.end.code, 5);
  ASSERT_EQ(result.lines.size(), 1u);
  EXPECT_TRUE(is_soon_gone(result.lines[0]));
}

TEST(Subprocess, ANoisyChildLeftBehindIsEnded) {
  const Ran result = run("sh -c 'echo $$; exec yes' & sleep 0.2; exit 5");
  EXPECT_EQ(result.end.kind, Kind::kExit);
  EXPECT_EQ(result.end.code, 5);
  ASSERT_FALSE(result.lines.empty());
  EXPECT_TRUE(is_soon_gone(result.lines[0]));
}

TEST(Subprocess, AChildOfAnotherGroupIsEndedToo) {
  for (const std::string way : {"setsid sh -c 'echo $$; exec sleep 300' & sleep 0.2; exit 5",
                                "setsid sh -c 'echo $$; exec yes' & sleep 0.2; exit 5"}) {
    const Ran result = run(way);
    EXPECT_EQ(result.end.code, 5);
    ASSERT_FALSE(result.lines.empty());
    EXPECT_TRUE(is_soon_gone(result.lines[0]));
  }
}

TEST(Subprocess, ProgramsRunWithoutAShell) {
  std::vector<std::string> lines;
  SubprocessOptions options = {.run = {.stop = far_too_late()}};
  options.line = [&](std::string_view line) { lines.emplace_back(line); };
  EXPECT_EQ(run_program({"/bin/echo", "$HOME  'x'", "; exit 3"}, options).code, 0);
  EXPECT_EQ(lines, (Lines{"$HOME  'x' ; exit 3"}));
}

TEST(Subprocess, WhatWasWrittenLastIsRead) {
  for (int i = 0; i < 30; ++i) {
    const Ran result = run("echo out; echo err >&2; printf last; exit 2");
    EXPECT_EQ(result.lines, (Lines{"out", "last"}));
    EXPECT_EQ(result.end.errors, "err\n");
    EXPECT_EQ(result.end.code, 2);
  }
}

TEST(Subprocess, SeveralThreadsMayRunCommands) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 10; ++i) {
        const std::string text = std::to_string(t) + " " + std::to_string(i);
        EXPECT_EQ(run("echo " + text + "; exit " + std::to_string(t)).lines, (Lines{text}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// What the shell makes of a quoted text; the bar tells where it ends.
std::string through_shell(const std::string& text) {
  std::string all;
  const Ran result = run("printf '%s|' " + shell_quoted(text));
  for (std::size_t i = 0; i < result.lines.size(); ++i) all += (i == 0 ? "" : "\n") + result.lines[i];
  EXPECT_TRUE(all.ends_with('|'));
  return all.substr(0, all.size() - 1);
}

TEST(Subprocess, QuotedTextsAreOneWord) {
  for (const std::string text : {"",
                                 "relu(x)",
                                 "a b",
                                 "'",
                                 "''",
                                 "it's",
                                 "\"",
                                 "$HOME",
                                 "${HOME}",
                                 "`id`",
                                 "$(id)",
                                 "\\",
                                 "\\\\n",
                                 "a\\'b",
                                 "\n",
                                 "a\n\nb\n",
                                 "; exit 3",
                                 "& echo",
                                 "| cat",
                                 "> file",
                                 "#",
                                 "~",
                                 "*",
                                 "?",
                                 "!",
                                 "{a,b}",
                                 "\t",
                                 "-n",
                                 "--",
                                 "%s",
                                 "größer ≤ 日本語",
                                 "'; rm -rf nothing; '",
                                 "'\"'\"'",
                                 "x\ry"}) {
    EXPECT_EQ(through_shell(text), text);
  }
}

TEST(Subprocess, QuotedBytesAreOneWord) {
  Random random(3);
  const std::string nasty = "'\"\\$`\n !*?;&|<>(){}[]#~%";
  for (int i = 0; i < 100; ++i) {
    std::string text;
    for (std::uint64_t length = random.below(40); length > 0; --length) {
      text += random.below(2) == 0 ? nasty[random.below(nasty.size())] : static_cast<char>(1 + random.below(255));
    }
    EXPECT_EQ(through_shell(text), text);
  }
}

}  // namespace
}  // namespace actforge
