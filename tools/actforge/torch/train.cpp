// `actforge train`, as the program with LibTorch runs it.
#include <fmt/format.h>

#include <algorithm>

#include "actforge/recipe/training_data.h"
#include "tools/actforge/common/interrupt.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/common/progress.h"
#include "tools/actforge/common/verb.h"
#include "tools/actforge/torch/verbs.h"

namespace actforge::tool {
namespace {

std::string recipe_name(const TrainCommand& options) {
  return options.recipe ? *options.recipe : recipe_of(options.net);
}

nlohmann::json curve_json(const std::vector<EpochScore>& curve) {
  nlohmann::json rows = nlohmann::json::array();
  for (const EpochScore& e : curve) {
    rows.push_back({{"epoch", e.epoch},
                    {"learning_rate", e.learning_rate},
                    {"train_loss", number(e.train.loss)},
                    {"train_accuracy", e.train.accuracy},
                    {"validation_loss", number(e.validation.loss)},
                    {"validation_accuracy", e.validation.accuracy},
                    {"seconds", e.seconds}});
  }
  return rows;
}

nlohmann::json result_json(const TrainJob& job, const TrainCommand& options, const TrainResult& result) {
  const auto loss = [](const std::optional<Score>& s) { return s ? number(s->loss) : nlohmann::json(nullptr); };
  const auto accuracy = [](const std::optional<Score>& s) { return s ? number(s->accuracy) : nlohmann::json(nullptr); };
  nlohmann::json settings;
  for (const TrainField& field : train_fields()) settings[std::string(field.name)] = field_text(job.options, field);
  nlohmann::json json = {{"network", job.network->name()},
                         {"data", job.dataset->name},
                         {"recipe", recipe_name(options)},
                         {"settings", std::move(settings)},
                         {"seed", job.run.seed},
                         {"weights", job.network->weight_count()},
                         {"parameters", job.network->parameter_count()},
                         {"train_loss", loss(result.train)},
                         {"train_accuracy", accuracy(result.train)},
                         {"validation_loss", loss(result.validation)},
                         {"validation_accuracy", accuracy(result.validation)},
                         {"epochs", result.curve.size()},
                         {"seconds", result.seconds},
                         {"images_per_second", result.images_per_second},
                         {"status", status_name(result.status)},
                         {"reason", result.reason},
                         {"curve", curve_json(result.curve)}};
  if (job.test) {
    json["test_accuracy"] = accuracy(result.test);
    json["test_loss"] = loss(result.test);
  }
  return json;
}

void print_epoch(const EpochScore& e) {
  fmt::print("{:>5}  {:>9.5f}  {:>10.4f}  {:>8.2f}%  {:>10.4f}  {:>8.2f}%  {:>7.1f}\n", e.epoch, e.learning_rate,
             e.train.loss, 100 * e.train.accuracy, e.validation.loss, 100 * e.validation.accuracy, e.seconds);
}

void print_result(const TrainJob& job, const TrainResult& result) {
  fmt::print("{:>5}  {:>9}  {:>10}  {:>9}  {:>10}  {:>9}  {:>7}\n", "epoch", "rate", "train loss", "accuracy",
             "validation", "accuracy", "seconds");
  for (const EpochScore& score : result.curve) print_epoch(score);
  fmt::print("\n{}{}{}\n", status_name(result.status), result.reason.empty() ? "" : ": ", result.reason);
  if (result.validation) {
    fmt::print("validation accuracy {:.2f}%, loss {:.4f}\n", 100 * result.validation->accuracy,
               result.validation->loss);
  }
  if (result.test) {
    fmt::print("test accuracy       {:.2f}%, loss {:.4f}\n", 100 * result.test->accuracy, result.test->loss);
  } else if (job.test) {
    fmt::print("the test images were not used: only a completed training is tested\n");
  }
  fmt::print("{:.1f} s, {:.0f} images/s\n", result.seconds, result.images_per_second);
}

// Ctrl-C ends a training between two steps.
int run_training(TrainJob job, const TrainCommand& options) {
  const Interrupt interrupt;
  job.run.stop = interrupt.context().stop;
  TrainResult result;
  {
    Progress bar("training");
    result = train(job, [&](const TrainProgress& p) {
      bar.show(
          p.epoch * p.steps + p.step, p.epochs * p.steps,
          fmt::format("  epoch {}/{}  loss {:.3f}  accuracy {:.1f}%  {:.0f} images/s", std::min(p.epoch + 1, p.epochs),
                      p.epochs, p.train.loss, 100 * p.train.accuracy, p.images_per_second));
    });
  }
  options.json ? print_json(result_json(job, options, result)) : print_result(job, result);
  if (result.status != TrainStatus::kInterrupted) return 0;
  if (job.checkpoint.empty()) {
    warning("actforge: stopped; with --checkpoint FILE a training can be continued later");
  } else {
    warning("actforge: stopped; the same command with --resume continues");
  }
  return interrupt.exit_code();
}

}  // namespace

int run_train(const TrainCommand& options) {
  const Dataset& dataset = find_dataset(options.data);
  Network network = network_for(options.net, dataset);
  set_activations(network, options.activations);
  TrainJob job = {
      .network = &network, .dataset = &dataset, .options = recipe_options(recipe_name(options), options.fields)};
  job.subset = options.subset;
  job.validation = options.validation;
  job.run.seed = options.seed;
  job.run.threads = options.threads;
  job.device = options.device;
  job.test = options.test;
  job.time_limit = options.time_limit;
  job.checkpoint = options.checkpoint;
  job.checkpoint_every = options.checkpoint_every;
  job.resume = options.resume;
  job.save_weights = options.save;
  return run_training(std::move(job), options);
}

}  // namespace actforge::tool
