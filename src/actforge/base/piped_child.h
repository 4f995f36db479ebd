#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "actforge/base/child_process.h"

namespace actforge {

// Who gets what a program writes.
struct OutputSinks {
  // Every complete line of its standard output, and what follows the last one. One longer than a megabyte is cut.
  std::function<void(std::string_view line)> line = {};
  // What it writes to its standard output and to its standard error, as it comes.
  std::function<void(std::string_view bytes)> output = {};
};

// A child process with pipes to its standard files, all of which are served by wait_and_read(): neither side waits for
// ever for the other to read.
class PipedChild {
 public:
  // The standard files in `options` are left out: they are the pipes. Without input, standard input is empty.
  PipedChild(ChildOptions options, bool has_input);

  // Waits a moment (50 ms at most) for something to happen, reads what the child wrote and writes what it is to read.
  void wait_and_read(const OutputSinks& sinks);
  // Reads what is in the pipes by now, without waiting.
  void read_rest(const OutputSinks& sinks);
  // The last line, if there is no line break after it.
  void end_line(const OutputSinks& sinks);

  // What it is to read next.
  void write(std::string_view text) { unwritten_ += text; }
  void close_input() { in_.reset(); }

  // The end of what it wrote to its standard error; forgets it.
  std::string take_errors();
  bool has_ended() { return child_->has_ended(); }
  ChildEnd wait() { return child_->wait(); }

 private:
  void keep_output(std::string_view bytes, const OutputSinks& sinks);
  void keep_errors(std::string_view bytes, const OutputSinks& sinks);
  void write_some();

  FileDescriptor in_, out_, err_;  // our ends
  bool more_ = true, more_errors_ = true;
  std::string line_, errors_, unwritten_;
  std::unique_ptr<ChildProcess> child_;  // the last: whatever reads is there as long as it runs
};

}  // namespace actforge
