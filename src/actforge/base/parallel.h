#pragma once

#include <cstddef>
#include <functional>

namespace actforge {

// 0 means one thread per processor.
std::size_t thread_count(std::size_t wanted);

// Calls work(begin, end, thread) for consecutive shares of 0 .. count-1, one share per thread, and waits for all. Where
// the system starts fewer threads, one of them does several shares, one after another: no share may wait for another
// (thread_team.h). An exception of any share is thrown here.
void parallel_for(std::size_t threads, std::size_t count,
                  const std::function<void(std::size_t begin, std::size_t end, std::size_t thread)>& work);

}  // namespace actforge
