#pragma once

#include <sys/types.h>

#include <array>

namespace actforge {

// What a child is to become: prepared before fork(), because nothing may be allocated after it.
struct ChildImage {
  char* const* arguments = nullptr;  // the first is the program's path
  char* const* variables = nullptr;
  const char* directory = nullptr;          // null: the parent's
  std::array<int, 3> files = {-1, -1, -1};  // its standard input, output and errors; -1: /dev/null
  int grace = 0;                            // milliseconds; see ChildOptions::grace
};

// Between a keeper and its owner, over a socket that keeps messages apart.
struct KeeperReport {
  enum class Kind : int { kFailed, kStarted, kEnded };
  Kind kind = Kind::kFailed;
  int value = 0;  // errno; the child's process id; its status as waitpid() gives it
};
inline constexpr char kAskToStop = 'T', kEndNow = 'K';

// The rest of a process that was just forked, with all signals blocked: a keeper, which starts the child as the leader
// of a group and ends everything that descends from it, as soon as the child has ended, the owner says so, or the owner
// is no more. For that it is a subreaper: what the child leaves behind becomes a child of the keeper's, who has no
// others. The owner itself cannot be one, as it may have children that are none of our business.
//
// The owner may have had threads: only async-signal-safe functions are called here.
[[noreturn]] void keep_child(const ChildImage& image, int link, pid_t owner);

}  // namespace actforge
