// How long it takes to find the unique functions of aquasurf-4: the command as a user runs it, with its memory, beside
// a loop over LibTorch's operators that shares subexpressions and hashes outputs. Answers are checked before the times
// are shown.
#include <ATen/Parallel.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <torch/nn/functional.h>
#include <torch/special.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_set>
#include <vector>

#include "actforge/space/fingerprint.h"

extern char** environ;

namespace {

namespace F = torch::nn::functional;
using torch::Tensor;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "space_bench: %s\n", what.c_str());
  std::exit(1);
}

// ---- the command

struct Measured {
  std::uint64_t total = 0, unique = 0;
  double wall = 0;
  double megabytes = 0;
};

Measured run_command(const char* threads, bool ieee_division) {
  int channel[2];
  if (pipe(channel) != 0) fail("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, channel[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, channel[0]);
  std::vector<std::string> words = {ACTFORGE_PROGRAM, "space",  "enumerate", "aquasurf-4", "--unique",
                                    "--count-only",   "--json", "--threads", threads};
  if (ieee_division) words.insert(words.end(), {"--binary", "add,sub,mul,div,pow,max,min"});
  std::vector<char*> arguments;
  arguments.reserve(words.size());
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const auto start = Clock::now();
  pid_t child = 0;
  if (posix_spawn(&child, ACTFORGE_PROGRAM, &actions, nullptr, arguments.data(), environ) != 0)
    fail("cannot start actforge");
  posix_spawn_file_actions_destroy(&actions);
  close(channel[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(channel[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  close(channel[0]);
  int status = 0;
  rusage usage = {};
  if (wait4(child, &status, 0, &usage) != child || status != 0) fail("actforge failed");
  const auto json = nlohmann::json::parse(text);
  return {.total = json.at("total"),
          .unique = json.at("unique"),
          .wall = seconds_since(start),
          .megabytes = static_cast<double>(usage.ru_maxrss) / 1024};
}

// ---- the loop

using Unary = std::function<Tensor(const Tensor&)>;
using Binary = std::function<Tensor(const Tensor&, const Tensor&)>;

std::vector<Unary> unary_operators() {
  return {[](const Tensor& x) { return torch::zeros_like(x); },
          [](const Tensor& x) { return torch::ones_like(x); },
          [](const Tensor& x) { return x.clone(); },
          [](const Tensor& x) { return -x; },
          [](const Tensor& x) { return torch::abs(x); },
          [](const Tensor& x) { return torch::reciprocal(x); },
          [](const Tensor& x) { return torch::square(x); },
          [](const Tensor& x) { return torch::exp(x); },
          [](const Tensor& x) { return torch::erf(x); },
          [](const Tensor& x) { return torch::special::erfc(x); },
          [](const Tensor& x) { return torch::sinh(x); },
          [](const Tensor& x) { return torch::cosh(x); },
          [](const Tensor& x) { return torch::tanh(x); },
          [](const Tensor& x) { return torch::expm1(x); },
          [](const Tensor& x) { return torch::sigmoid(x); },
          [](const Tensor& x) { return F::logsigmoid(x); },
          [](const Tensor& x) { return torch::asinh(x); },
          [](const Tensor& x) { return torch::atan(x); },
          [](const Tensor& x) { return torch::special::i0e(x); },
          [](const Tensor& x) { return torch::special::i1e(x); },
          [](const Tensor& x) { return torch::relu(x); },
          [](const Tensor& x) { return torch::elu(x); },
          [](const Tensor& x) { return torch::selu(x); },
          [](const Tensor& x) { return torch::silu(x); },
          [](const Tensor& x) { return F::softplus(x); },
          [](const Tensor& x) { return F::softsign(x); },
          [](const Tensor& x) { return torch::clamp(0.2 * x + 0.5, 0, 1); }};
}

Tensor divide_no_nan(const Tensor& a, const Tensor& b) { return torch::where(b == 0, torch::zeros_like(a), a / b); }

std::vector<Binary> binary_operators(bool ieee_division) {
  return {[](const Tensor& a, const Tensor& b) { return a + b; },
          [](const Tensor& a, const Tensor& b) { return a - b; },
          [](const Tensor& a, const Tensor& b) { return a * b; },
          [=](const Tensor& a, const Tensor& b) { return ieee_division ? a / b : divide_no_nan(a, b); },
          [](const Tensor& a, const Tensor& b) { return torch::pow(a, b); },
          [](const Tensor& a, const Tensor& b) { return torch::maximum(a, b); },
          [](const Tensor& a, const Tensor& b) { return torch::minimum(a, b); }};
}

class Loop {
 public:
  Loop() {
    const std::vector<float> inputs = actforge::fingerprint_inputs({});
    x_ = torch::tensor(inputs);
  }

  void run(bool ieee_division) {
    const std::vector<Unary> unary = unary_operators();
    const std::vector<Binary> binary = binary_operators(ieee_division);
    const auto over = [&](const std::vector<Tensor>& arguments) {
      std::vector<Tensor> values;
      for (const Unary& f : unary) {
        for (const Tensor& a : arguments) values.push_back(f(a));
      }
      return values;
    };
    const std::vector<Tensor> one = over({x_}), two = over(one), three = over(two);
    for (const Binary& f : binary) {
      for (const Tensor& a : two) {
        for (const Tensor& b : one) {
          add(f(a, b));
          add(f(b, a));
        }
      }
      for (const Tensor& a : one) {
        for (const Tensor& b : one) {
          const Tensor inner = f(a, b);
          for (const Unary& g : unary) add(g(inner));
        }
      }
    }
    for (const std::size_t op : {0, 2, 5, 6}) {  // sum, product, maximum, minimum
      for (const Tensor& a : one) {
        for (const Tensor& b : one) {
          const Tensor inner = binary[op](a, b);
          for (const Tensor& c : one) add(binary[op](inner, c));
        }
      }
    }
    for (const Tensor& a : three) {
      for (const Unary& f : unary) add(f(a));
    }
  }

  std::uint64_t total() const { return total_; }
  std::uint64_t unique() const { return seen_.size(); }

 private:
  void add(Tensor value) {
    ++total_;
    value = torch::nan_to_num(value + 0.0f, 12345.0, INFINITY, -INFINITY).contiguous();
    const std::string_view bytes(static_cast<const char*>(value.data_ptr()),
                                 sizeof(float) * static_cast<std::size_t>(value.numel()));
    seen_.insert(std::hash<std::string_view>()(bytes));
  }

  Tensor x_;
  std::unordered_set<std::size_t> seen_;
  std::uint64_t total_ = 0;
};

void print_row(const char* what, std::uint64_t unique, double seconds, double megabytes = 0) {
  std::printf("  %-34s %9llu %10.2f", what, static_cast<unsigned long long>(unique), seconds);
  if (megabytes > 0) std::printf(" %8.0f", megabytes);
  std::printf("\n");
}

// Prints one table; returns the seconds and the memory of the command on two threads.
Measured compare(bool ieee_division) {
  const Measured one = run_command("1", ieee_division), two = run_command("2", ieee_division);
  Loop loop;
  const auto start = Clock::now();
  loop.run(ieee_division);
  const double loop_seconds = seconds_since(start);
  if (one.unique != two.unique) fail("one thread and two threads disagree");
  if (two.total != 1023516 || loop.total() != 1023516) fail("not 1,023,516 functions");
  for (const auto unique : {two.unique, loop.unique()}) {
    if (std::fabs(static_cast<double>(unique) - 425896) > 0.02 * 425896)
      fail("more than 2% from the published 425,896");
  }
  std::printf("%-36s %9s %10s %8s\n", ieee_division ? "with IEEE division" : "with PANGAEA's division", "unique",
              "seconds", "MB");
  print_row("actforge, two threads", two.unique, two.wall, two.megabytes);
  print_row("actforge, one thread", one.unique, one.wall, one.megabytes);
  print_row("LibTorch loop in C++, one thread", loop.unique(), loop_seconds);
  std::printf("  ratio on one thread %.1fx; on two threads against the loop on one %.1fx\n", loop_seconds / one.wall,
              loop_seconds / two.wall);
  return two;
}

}  // namespace

int main() {
  at::set_num_threads(1);
  torch::NoGradGuard no_grad;
  std::printf("aquasurf-4, 1,023,516 functions, 1,000 inputs\n");
  const Measured measured = compare(false);
  compare(true);
  const bool reached = measured.wall <= 5 && measured.megabytes <= 1024;
  std::printf("at most 5 seconds and 1 GB on two threads: %s\n", reached ? "reached" : "NOT reached");
  return 0;
}
