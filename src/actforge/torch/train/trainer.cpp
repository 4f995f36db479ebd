#include "actforge/torch/train/trainer.h"

#include <torch/cuda.h>

#include <chrono>
#include <cmath>
#include <filesystem>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "actforge/data/batch_loader.h"
#include "actforge/init/weight_plan.h"
#include "actforge/recipe/schedule.h"
#include "actforge/recipe/training_data.h"
#include "actforge/torch/execute/model.h"
#include "actforge/torch/execute/threads.h"
#include "actforge/torch/train/checkpoint.h"
#include "actforge/torch/train/initialise.h"
#include "actforge/torch/train/optimizer.h"

namespace actforge {
namespace {

using torch::Tensor;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

torch::Device find_device(const std::string& name) {
  try {
    const torch::Device device(name);
    if (device.is_cpu() || (device.is_cuda() && torch::cuda::is_available())) return device;
  } catch (const c10::Error&) {
    throw Error(ErrorCode::kUsage, "unknown device '" + name + "'; there are: cpu, cuda, cuda:0, ...");
  }
  throw Error(ErrorCode::kUsage, "this LibTorch has no device '" + name + "'; leave --device out for the CPU");
}

// Kernels are pulled towards zero; biases, gains and offsets are not. Parameters of activations have settings of their
// own.
std::vector<LearnedWeight> learned_weights(Model& model, const TrainOptions& options) {
  std::vector<LearnedWeight> learned;
  for (const ModelWeight& weight : model.weights()) {
    if (!is_learned(weight.weight->role)) continue;
    const WeightRole role = weight.weight->role;
    if (role == WeightRole::kParameter) {
      learned.push_back({weight.tensor, options.parameter_rate, options.parameter_decay});
    } else {
      const bool decays = role == WeightRole::kKernel || role == WeightRole::kRecurrentKernel;
      learned.push_back({weight.tensor, 1, decays ? options.weight_decay : 0});
    }
  }
  return learned;
}

ModelOptions model_options(const TrainJob& job) {
  return {.backend = job.options.backend == "fused" ? ActivationBackend::kFused : ActivationBackend::kOperators,
          .channels_last = job.options.layout == "channels-last",
          .device = find_device(job.device)};
}

PlanOptions plan_options(const TrainJob& job, const SignalMoments& input) {
  return {.initialiser = &find_initialiser(job.options.init), .analysis = {.input = input}};
}

// The body of a training; `train` at the end is its outline.
class Training {
 public:
  Training(const TrainJob& job, const TrainObserver& observer)
      : job_(job),
        observer_(observer),
        data_(load_training_data(*job.dataset, {.normalise = job.options.normalise,
                                                .subset = job.subset,
                                                .validation = job.validation,
                                                .seed = job.run.seed})),
        plan_(plan_weights(*job.network, plan_options(job, data_.input))),
        model_(planned_network(*job.network, plan_), model_options(job)),
        optimizer_(job.options, learned_weights(model_, job.options)),
        settings_(train_settings(job)),
        device_(find_device(job.device)),
        loader_(data_.images, data_.split.train, data_.normalisation,
                {.batch_size = job.options.batch,
                 .shuffle = true,
                 .augmentation = {.flip = job.options.flip, .pad = static_cast<int>(job.options.pad)},
                 .seed = job.run.seed}) {}

  void initialise() {
    set_initial_weights(model_, plan_, job_.run.seed);
    if (find_initialiser(job_.options.init).rule != InitRule::kMeasured) return;
    loader_.start(0);
    if (const Batch* batch = loader_.next()) scale_by_samples(model_, plan_, {image_tensor(*batch)}, job_.run);
  }

  void resume() { state_ = load_checkpoint(job_.checkpoint, settings_, model_, optimizer_); }

  // Epochs until the end or until there is a reason to stop.
  void learn() {
    begin_ = last_checkpoint_ = Clock::now();
    track_parameters();
    seconds_before_ = state_.seconds;
    stop_if_hopeless();  // where a checkpoint was taken at its very end
    while (!stopped_ && state_.epoch < job_.options.epochs) {
      learn_epoch();
      if (!stopped_) finish_epoch();
    }
    state_.seconds = elapsed();
    if (!job_.checkpoint.empty() && result_.status != TrainStatus::kDiverged) keep_checkpoint();
  }

  TrainResult result() {
    result_.curve = state_.curve;
    result_.seconds = state_.seconds;
    result_.images_per_second = state_.step_seconds > 0 ? static_cast<double>(state_.trained) / state_.step_seconds : 0;
    if (result_.status == TrainStatus::kDiverged || result_.status == TrainStatus::kInterrupted) {
      return std::move(result_);
    }
    if (!state_.curve.empty()) result_.train = state_.curve.back().train;
    // Between two epochs the last measurement is still true.
    const bool is_fresh = !state_.curve.empty() && state_.step == 0;
    if (!data_.split.validation.empty()) {
      result_.validation = is_fresh ? state_.curve.back().validation : measure(data_.images, data_.split.validation);
    }
    if (job_.test && result_.status == TrainStatus::kCompleted) result_.test = measure_test();
    if (!job_.save_weights.empty()) save_weights(job_.save_weights, model_);
    return std::move(result_);
  }

 private:
  double elapsed() const { return seconds_before_ + seconds_since(begin_); }

  Tensor image_tensor(const Batch& batch) const {
    const ImageShape& s = data_.images.shape;
    // The loader gives NHWC, and keeps it until its next batch is asked for.
    Tensor x = torch::from_blob(const_cast<float*>(batch.pixels.data()),
                                {static_cast<std::int64_t>(batch.size()), s.height, s.width, s.channels})
                   .permute({0, 3, 1, 2});
    if (job_.options.layout == "channels-first") x = x.contiguous();
    return x.to(device_);
  }

  Tensor label_tensor(const Batch& batch) const {
    return torch::from_blob(const_cast<std::int64_t*>(batch.labels.data()), {static_cast<std::int64_t>(batch.size())},
                            torch::kInt64)
        .to(device_);
  }

  void stop(TrainStatus status, std::string reason) {
    stopped_ = true;
    result_.status = status;
    result_.reason = std::move(reason);
  }

  void learn_epoch() {
    loader_.start(state_.epoch);
    for (std::uint64_t skipped = 0; skipped < state_.step; ++skipped) loader_.next();
    for (;;) {
      const Clock::time_point begin = Clock::now();  // waiting for images is part of the time
      const Batch* batch = loader_.next();
      if (batch == nullptr) return;
      learn_batch(*batch);
      state_.step_seconds += seconds_since(begin);
      if (stopped_) return;
      if (!job_.checkpoint.empty() && seconds_since(last_checkpoint_) > job_.checkpoint_every) keep_checkpoint();
      if (observe(); stopped_) return;
      if (job_.time_limit > 0 && elapsed() > job_.time_limit) {
        return stop(TrainStatus::kTimeout, "the time limit has passed");
      }
    }
  }

  void learn_batch(const Batch& batch) {
    const std::uint64_t step = state_.epoch * loader_.batches() + state_.step;
    const Tensor labels = label_tensor(batch);
    const Tensor logits =
        model_.forward({image_tensor(batch)}, model_.logits(), true, Random(job_.run.seed, step, "dropout").next());
    const Tensor loss =
        torch::cross_entropy_loss(logits, labels, {}, at::Reduction::Mean, -100, job_.options.label_smoothing);
    const double value = loss.item<double>();
    if (!std::isfinite(value)) {
      return stop(TrainStatus::kDiverged, "the loss became undefined in epoch " + std::to_string(state_.epoch + 1) +
                                              ", step " + std::to_string(state_.step + 1));
    }
    loss.backward();
    const double time = static_cast<double>(step) / static_cast<double>(loader_.batches());
    optimizer_.step(learning_rate_at(job_.options, time));
    state_.loss_sum += value * static_cast<double>(batch.size());
    state_.correct += logits.detach().argmax(1).eq(labels).sum().item<std::int64_t>();
    state_.images += batch.size();
    state_.trained += batch.size();
    ++state_.step;
  }

  void finish_epoch() {
    if (stop_if_exploded(); stopped_) return;
    const Score validation = measure(data_.images, data_.split.validation);
    if (!data_.split.validation.empty() && !std::isfinite(validation.loss)) {
      return stop(TrainStatus::kDiverged,
                  "the validation loss became undefined in epoch " + std::to_string(state_.epoch + 1));
    }
    const Score train = running_score();
    state_ = {.epoch = state_.epoch + 1,
              .step_seconds = state_.step_seconds,
              .trained = state_.trained,
              .curve = std::move(state_.curve)};
    state_.curve.push_back({.epoch = state_.epoch,
                            .learning_rate = learning_rate_at(job_.options, static_cast<double>(state_.epoch - 1)),
                            .train = train,
                            .validation = validation,
                            .seconds = elapsed()});
    track_parameters();
    observe();
    stop_if_hopeless();
  }

  void observe() {
    if (observer_) observer_(progress());
    if (job_.run.stopped()) stop(TrainStatus::kInterrupted, "stopped by the user");
  }

  void track_parameters() {
    std::size_t place = 0;
    for (const ModelWeight& weight : model_.weights()) {
      if (weight.weight->role != WeightRole::kParameter) continue;
      if (place == result_.parameters.size()) {
        result_.parameters.push_back({model_.network().layer(weight.layer).name, std::string(weight.weight->name)});
      }
      const Tensor values = weight.tensor.detach().to(torch::kFloat64);
      result_.parameters[place++].points.push_back({.epoch = state_.epoch,
                                                    .mean = values.mean().item<double>(),
                                                    .low = values.min().item<double>(),
                                                    .high = values.max().item<double>()});
    }
  }

  void stop_if_exploded() {
    for (const ModelWeight& weight : model_.weights()) {
      if (!is_learned(weight.weight->role)) continue;
      // Not `>`: what is undefined has exploded too.
      if (weight.tensor.detach().abs().max().item<double>() <= job_.options.largest_weight) continue;
      return stop(TrainStatus::kDiverged,
                  "the weights of '" + weight.name + "' exploded in epoch " + std::to_string(state_.epoch + 1));
    }
  }

  // At chance: not more than two standard deviations above what guessing gives.
  void stop_if_hopeless() {
    if (job_.options.chance_epochs == 0 || state_.epoch < job_.options.chance_epochs || stopped_) return;
    if (state_.epoch == job_.options.epochs || data_.split.validation.empty() || state_.curve.empty()) return;
    const double chance = 1.0 / data_.images.classes, count = static_cast<double>(data_.split.validation.size());
    const double limit = chance + 2 * std::sqrt(chance * (1 - chance) / count);
    for (const EpochScore& score : state_.curve) {
      if (score.validation.accuracy > limit) return;
    }
    stop(TrainStatus::kChance, "validation accuracy is at chance after " + std::to_string(state_.epoch) + " epochs");
  }

  Score running_score() const {
    const double count = std::max<double>(1, static_cast<double>(state_.images));
    return {state_.loss_sum / count, static_cast<double>(state_.correct) / count};
  }

  Score measure(const ImageSet& set, const std::vector<std::uint32_t>& chosen) const {
    constexpr std::size_t kBatch = 256;
    const torch::NoGradGuard no_grad;
    BatchLoader loader(set, chosen, data_.normalisation, {.batch_size = kBatch});
    double loss = 0;
    std::int64_t correct = 0;
    loader.start(0);
    while (const Batch* batch = loader.next()) {
      const Tensor labels = label_tensor(*batch);
      const Tensor logits = model_.forward({image_tensor(*batch)}, model_.logits(), false);
      loss += torch::cross_entropy_loss(logits, labels).item<double>() * static_cast<double>(batch->size());
      correct += logits.argmax(1).eq(labels).sum().item<std::int64_t>();
    }
    const double count = std::max<double>(1, static_cast<double>(chosen.size()));
    return {loss / count, static_cast<double>(correct) / count};
  }

  Score measure_test() const {
    const ImageSet set = load(*job_.dataset, Part::kTest);
    std::vector<std::uint32_t> all(set.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    return measure(set, all);
  }

  void keep_checkpoint() {
    const double seconds = std::exchange(state_.seconds, elapsed());
    save_checkpoint(job_.checkpoint, settings_, model_, optimizer_, state_);
    state_.seconds = seconds;
    last_checkpoint_ = Clock::now();
  }

  TrainProgress progress() const {
    const auto steps = static_cast<double>(loader_.batches());
    const double done = static_cast<double>(state_.epoch) + static_cast<double>(state_.step) / steps;
    const double left = static_cast<double>(job_.options.epochs) - done;
    return {.epoch = state_.epoch,
            .epochs = job_.options.epochs,
            .step = state_.step,
            .steps = loader_.batches(),
            .train = state_.images > 0 || state_.curve.empty() ? running_score() : state_.curve.back().train,
            .validation = state_.curve.empty() ? std::nullopt : std::optional(state_.curve.back().validation),
            .images_per_second = static_cast<double>(state_.trained) / std::max(1e-9, state_.step_seconds),
            .seconds_left = done > 0 ? elapsed() * left / done : 0};
  }

  const TrainJob& job_;
  const TrainObserver& observer_;
  TrainingData data_;
  WeightPlan plan_;
  Model model_;
  Optimizer optimizer_;
  TrainSettings settings_;
  torch::Device device_;
  BatchLoader loader_;
  TrainState state_;
  TrainResult result_;
  bool stopped_ = false;
  double seconds_before_ = 0;
  Clock::time_point begin_, last_checkpoint_;
};

void check_job(const TrainJob& job) {
  check_options(job.options);
  check_network(*job.network, *job.dataset);
  if (job.test && job.dataset->test_count == 0) {
    throw Error(ErrorCode::kBadInput, "'" + std::string(job.dataset->name) + "' has no test part");
  }
  if (job.checkpoint.empty()) {
    if (job.resume) throw Error(ErrorCode::kUsage, "--resume needs --checkpoint FILE");
    return;
  }
  const bool exists = std::filesystem::exists(job.checkpoint);
  if (job.resume && !exists) {
    throw Error(ErrorCode::kBadInput,
                "there is no checkpoint '" + job.checkpoint + "'; leave --resume out to start one");
  }
  if (!job.resume && exists) {
    throw Error(ErrorCode::kUsage,
                "'" + job.checkpoint + "' exists: --resume continues from it; to start over, remove it");
  }
}

}  // namespace

std::string_view status_name(TrainStatus status) {
  constexpr std::string_view kNames[] = {"completed", "diverged", "chance", "timeout", "interrupted"};
  return kNames[static_cast<std::size_t>(status)];
}

TrainResult train(const TrainJob& job, const TrainObserver& observer) {
  check_job(job);
  set_threads(job.run.threads);
  Training training(job, observer);
  if (job.resume) {
    training.resume();
  } else {
    training.initialise();
  }
  training.learn();
  return training.result();
}

}  // namespace actforge
