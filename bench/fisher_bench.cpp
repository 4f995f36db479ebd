// Spectra of the Fisher information: seconds and memory for one function, and the covariance of patches beside the
// usual way, which writes all patches out. Answers are compared before anything is timed.
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>

#include "actforge/expr/language/parse.h"
#include "actforge/init/weight_plan.h"
#include "actforge/net/zoo/zoo.h"
#include "actforge/torch/execute/threads.h"
#include "actforge/torch/fisher/kfac_spectrum.h"
#include "actforge/torch/train/initialise.h"

namespace actforge {
namespace {

using Clock = std::chrono::steady_clock;
using torch::Tensor;

template <class Work>
double best_of(int rounds, const Work& work) {
  double best = 1e300;
  for (int i = 0; i < rounds; ++i) {
    const Clock::time_point begin = Clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return best;
}

double peak_gigabytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / (1 << 20);
}

Tensor patches_written_out(const Tensor& x) {
  const Tensor rows = torch::im2col(x, {3, 3}, {1, 1}, {1, 1}, {1, 1}).transpose(1, 2).reshape({-1, 9 * x.size(1)});
  return torch::mm(rows.t(), rows);
}

bool compare_patches(std::int64_t channels, std::int64_t side) {
  const Tensor x = torch::randn({128, channels, side, side}, torch::kFloat64);
  const PatchShape shape = {
      .window = {.size = {3, 3}, .stride = {1, 1}, .dilation = {1, 1}, .before = {1, 1}, .after = {1, 1}}};
  // im2col has channels first, then taps; eigenvalues do not care, so sums of squares are compared.
  const double a = patch_products(x, shape).square().sum().item<double>();
  const double b = patches_written_out(x).square().sum().item<double>();
  if (std::abs(a - b) > 1e-9 * b) {
    std::printf("the covariances of patches differ: %g, %g\n", a, b);
    return false;
  }
  const double ours = best_of(3, [&] { patch_products(x, shape); });
  const double usual = best_of(2, [&] { patches_written_out(x); });
  std::printf("%5ld channels %3ldx%-3ld  shifted %6.3f s   written out %6.3f s   %4.1f times\n", channels, side, side,
              ours, usual, usual / ours);
  return true;
}

bool time_network(const std::string& name, const std::vector<std::int64_t>& input, double limit, std::size_t length) {
  Network network = build_network(name, {.input = input, .classes = 10});
  network.set_activation(parse("swish(x)"));
  const WeightPlan plan = plan_weights(network, {});
  Model model(network);
  set_initial_weights(model, plan, 0);
  const Tensor images = torch::randn({128, input[0], input[1], input[2]}).contiguous(torch::MemoryFormat::ChannelsLast);
  FisherSpectrum spectrum;
  const double seconds =
      best_of(name == "allcnn-mini" ? 20 : 3, [&] { spectrum = kfac_spectrum(model, {.images = images}); });
  const std::size_t features = fisher_features(spectrum).size();
  std::printf("%-14s %6.3f s (at most %g)   %zu features   peak memory %.2f GB%s\n", name.c_str(), seconds, limit,
              features, peak_gigabytes(), spectrum.valid ? "" : "   INVALID");
  return spectrum.valid && (length == 0 || features == length);
}

}  // namespace
}  // namespace actforge

// In a process of its own, whose peak of memory is its own too.
template <class Work>
bool apart(const Work& work) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const bool good = work();
    std::fflush(stdout);
    _exit(good ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}

int main(int argc, char** argv) {
  const std::size_t threads = argc > 1 ? std::stoul(argv[1]) : 2;
  std::printf("batches of 128, %zu threads\n", threads);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // as the program does
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  const auto time = [&](const std::string& name, const std::vector<std::int64_t>& input, double limit,
                        std::size_t length) {
    return apart([&] {
      actforge::set_threads_around_products(threads);
      return actforge::time_network(name, input, limit, length);
    });
  };
  bool good = time("allcnn-mini", {1, 28, 28}, 0.1, 0);
  good = time("allcnn-c", {3, 32, 32}, 8, 13'692) && good;
  good = time("resnet-v2-56", {3, 32, 32}, 15, 16'500) && good;
  std::printf("\ncovariance of 3x3 patches, 128 images, double precision\n");
  actforge::set_threads_around_products(threads);
  good = actforge::compare_patches(16, 32) && good;
  good = actforge::compare_patches(96, 16) && good;
  good = actforge::compare_patches(192, 16) && good;
  return good ? 0 : 1;
}
