#include "actforge/torch/fisher/fisher.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>

#include "actforge/base/error.h"
#include "actforge/base/parallel.h"
#include "actforge/base/random.h"
#include "actforge/data/batch_loader.h"
#include "actforge/recipe/training_data.h"
#include "actforge/torch/execute/threads.h"
#include "actforge/torch/fisher/kfac_spectrum.h"
#include "actforge/torch/train/initialise.h"

namespace actforge {
namespace {

using torch::Tensor;
using Clock = std::chrono::steady_clock;

// A batch of images that stays.
struct ProbeBatch {
  Tensor images, labels;
};

ProbeBatch keep(const Batch& batch, const ImageShape& shape) {
  const auto count = static_cast<std::int64_t>(batch.size());
  const Tensor pixels =
      torch::from_blob(const_cast<float*>(batch.pixels.data()), {count, shape.height, shape.width, shape.channels});
  const Tensor labels = torch::from_blob(const_cast<std::int64_t*>(batch.labels.data()), {count}, torch::kInt64);
  return {pixels.clone().permute({0, 3, 1, 2}), labels.clone()};
}

}  // namespace

struct FisherProbe::Data {
  SpectrumTask task;
  TrainingData training;
  std::vector<ProbeBatch> batches;  // of the first draw of weights, then of the next

  const ProbeBatch& batch(std::uint64_t draw, std::uint64_t number) const {
    return batches[draw * task.options.batches + number];
  }

  // One draw of the weights, one batch.
  FisherSpectrum measure_once(Model& model, std::uint64_t draw, std::uint64_t number) const {
    const ProbeBatch& images = batch(draw, number);
    return kfac_spectrum(model, {.images = images.images,
                                 .labels = images.labels,
                                 .kind = task.options.label_kind(),
                                 .seed = Random(task.run.seed + draw, number, "fisher batch").next()});
  }

  FisherSpectrum measure(const Network& network) const {
    const Clock::time_point begin = Clock::now();
    task.run.check();
    WeightPlan plan;
    try {
      plan = plan_weights(network,
                          {.initialiser = &find_initialiser(task.options.init), .analysis = {.input = training.input}});
    } catch (const Error& e) {
      // AutoInit has no weights for a function without finite moments.
      if (e.code() == ErrorCode::kUsage) throw;
      FisherSpectrum spectrum = {.valid = false, .reason = e.what()};
      fisher_feature_count(network, &spectrum.skipped);
      return spectrum;
    }
    Model model(planned_network(network, plan));
    std::vector<FisherSpectrum> repeats;
    for (std::uint64_t draw = 0; draw < task.options.draws; ++draw) {
      task.run.check();
      set_initial_weights(model, plan, task.run.seed + draw);
      if (find_initialiser(task.options.init).rule == InitRule::kMeasured) {
        scale_by_samples(model, plan, {batch(draw, 0).images}, task.run);
      }
      for (std::uint64_t number = 0; number < task.options.batches; ++number) {
        task.run.check();
        repeats.push_back(measure_once(model, draw, number));
        if (!repeats.back().valid) break;
      }
      if (!repeats.back().valid) break;
    }
    FisherSpectrum mean = average_spectra(repeats);
    mean.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return mean;
  }
};

FisherProbe::FisherProbe(const SpectrumTask& task)
    : data_(new Data{task,
                     load_training_data(*task.dataset, {.normalise = task.normalise,
                                                        .subset = task.subset,
                                                        .validation = task.validation,
                                                        .seed = task.run.seed}),
                     {}}) {
  find_initialiser(task.options.init);
  const std::vector<std::uint32_t>& images = data_->training.split.train;
  const std::uint64_t wanted = task.options.batch * task.options.batches;
  if (wanted > images.size()) {
    throw Error(ErrorCode::kUsage, "a spectrum is measured on " + std::to_string(wanted) + " images (" +
                                       std::to_string(task.options.batches) + " x " +
                                       std::to_string(task.options.batch) + "), and there are " +
                                       std::to_string(images.size()) +
                                       " training images: take more of them, or a smaller batch");
  }
  BatchLoader loader(data_->training.images, images, data_->training.normalisation,
                     {.batch_size = task.options.batch, .shuffle = true, .seed = task.run.seed, .threads = 0});
  for (std::uint64_t draw = 0; draw < task.options.draws; ++draw) {
    loader.start(draw);
    for (std::uint64_t number = 0; number < task.options.batches; ++number) {
      data_->batches.push_back(keep(*loader.next(), data_->training.images.shape));
    }
  }
}

FisherProbe::~FisherProbe() = default;
FisherProbe::FisherProbe(FisherProbe&&) noexcept = default;

FisherSpectrum FisherProbe::measure(const Network& network) const {
  check_network(network, *data_->task.dataset);
  set_threads_around_products(data_->task.run.threads);
  return data_->measure(network);
}

std::vector<FisherSpectrum> FisherProbe::measure_all(const Network& network, std::span<const Expr> functions,
                                                     const FisherObserver& observer) const {
  check_network(network, *data_->task.dataset);
  const RunContext& run = data_->task.run;
  std::vector<FisherSpectrum> spectra(functions.size());
  const std::size_t threads = std::min(thread_count(run.threads), functions.size());
  std::atomic<std::size_t> next = 0;
  std::size_t done = 0;
  std::mutex telling;
  const auto tell = [&](const auto& event, auto... arguments) {
    const std::lock_guard lock(telling);
    return event(arguments...);
  };
  const auto measure_one = [&](std::size_t i) {
    run.check();
    if (observer.begin && !tell(observer.begin, i)) return;
    try {
      Network changed = network;
      changed.set_activation(functions[i]);
      spectra[i] = data_->measure(changed);
      if (observer.end) tell(observer.end, i, std::cref(spectra[i]));
    } catch (const std::exception& error) {
      if (observer.failed) tell(observer.failed, i, std::cref(error));
      throw;
    }
  };
  parallel_for(threads, threads, [&](std::size_t, std::size_t, std::size_t) {
    // Of this thread alone.
    set_threads_around_products(std::max<std::size_t>(1, thread_count(run.threads) / threads));
    for (std::size_t i = next++; i < functions.size(); i = next++) {
      try {
        measure_one(i);
      } catch (...) {
        next = functions.size();  // no thread begins another
        throw;
      }
      if (run.progress) tell([&] { run.progress("spectra", ++done, functions.size()); });
    }
  });
  run.check();
  return spectra;
}

}  // namespace actforge
