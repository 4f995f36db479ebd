#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace actforge {

// Calls work(1), work(2), ... on a thread each, at most `count`. It stops, and throws nothing, where the system has no
// more threads or no memory for them: the caller has fewer do the work.
std::vector<std::jthread> start_threads(std::size_t count, const std::function<void(std::size_t)>& work);

// Throws the first of what the threads have thrown.
void rethrow_first(const std::vector<std::exception_ptr>& failures);

}  // namespace actforge
