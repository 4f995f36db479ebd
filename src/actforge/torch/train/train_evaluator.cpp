// Trains a network with the function in all its activations. Test images are never used.
#include "actforge/torch/train/train_evaluator.h"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "actforge/base/find_named.h"
#include "actforge/search/evaluators/timeout.h"
#include "actforge/search/settings/train_tasks.h"
#include "actforge/torch/train/trainer.h"

namespace actforge {
namespace {

nlohmann::json score_json(const Score& train, const Score& validation) {
  const auto number = [](double v) { return std::isfinite(v) ? nlohmann::json(v) : nlohmann::json(nullptr); };
  return {{"train_loss", number(train.loss)},
          {"train_accuracy", number(train.accuracy)},
          {"validation_loss", number(validation.loss)},
          {"validation_accuracy", number(validation.accuracy)}};
}

double measure_of(const Objective& objective, const Score& score) {
  return objective.measure == "loss" ? -score.loss : score.accuracy;
}

// To five digits, which is plenty for a picture.
double short_number(double value) {
  std::array<char, 32> text;
  const std::to_chars_result end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 5);
  double result = 0;
  std::from_chars(text.data(), end.ptr, result);
  return std::isfinite(result) ? result : 0;
}

// The scores of a training: none if it failed.
std::optional<Score> last_score(const TrainResult& result) {
  std::optional<Score> score;
  if (result.status == TrainStatus::kCompleted) score = result.test ? result.test : result.validation;
  if (result.status == TrainStatus::kInterrupted && !result.curve.empty()) score = result.curve.back().validation;
  return score && std::isfinite(score->loss) ? score : std::nullopt;
}

class TrainEvaluator : public Evaluator {
 public:
  explicit TrainEvaluator(const StudySettings& settings)
      : settings_(settings), objectives_(study_objectives(settings)), tasks_(train_tasks(settings)) {}

  TrialOutcome evaluate(const EvaluationRequest& request) override {
    std::vector<Score> scores;
    TrialOutcome outcome;
    nlohmann::json metrics = nlohmann::json::array();
    for (const TrainTask& task : tasks_) {
      const TrainResult result = train_task(task, request, scores.empty());
      request.run.check();
      metrics.push_back(result_json(task, result));
      if (request.details) metrics.back()["parameters"] = parameters_json(result);
      const std::optional<Score> score = last_score(result);
      if (!score) {
        return {.status = TrialStatus::kFailed,
                .reason = result.reason.empty() ? std::string(status_name(result.status)) : result.reason,
                .metrics = nlohmann::json{{"tasks", metrics}}.dump()};
      }
      scores.push_back(*score);
      if (result.status == TrainStatus::kInterrupted) {
        outcome.status = TrialStatus::kStopped;
        break;
      }
    }
    // Of a trial that was stopped early, only the first task is known.
    for (const Objective& objective : objectives_) {
      if (objective.measure == "cost") {
        outcome.scores.push_back(cost_score(request.function));
      } else if (objective.task < scores.size()) {
        outcome.scores.push_back(measure_of(objective, scores[objective.task]));
      }
    }
    outcome.metrics = nlohmann::json{{"tasks", metrics}}.dump();
    return outcome;
  }

 private:
  TrainResult train_task(const TrainTask& task, const EvaluationRequest& request, bool first) const {
    Network network = task.network();
    network.set_activation(request.function);
    TrainOptions options = task.options;
    for (const auto& [name, value] : request.hyperparameters) {
      set_field(options, find_named(train_fields(), name, "training option"), value);
    }
    check_options(options);
    bool given_up = false;
    const auto stop = [&] { return given_up || request.run.stopped(); };
    TrainJob job = {.network = &network,
                    .dataset = task.dataset,
                    .options = options,
                    .run = {.seed = request.run.seed, .threads = request.run.threads, .stop = stop}};
    if (settings_.subset > 0) job.subset = settings_.subset;
    if (settings_.validation > 0) job.validation = settings_.validation;
    job.time_limit = read_options<TimeoutOptions>(settings_.evaluate, kTimeoutFields).timeout;
    job.test = request.test;
    std::uint64_t told = 0;
    return actforge::train(job, [&](const TrainProgress& p) {
      if (!first || p.epoch == told || !p.validation) return;
      told = p.epoch;
      const double score = measure_of(objectives_[0], *p.validation);
      if (!std::isfinite(score)) return;
      const bool go_on = request.report({.epoch = static_cast<std::int64_t>(p.epoch),
                                         .score = score,
                                         .metrics = score_json(p.train, *p.validation).dump()});
      given_up = !go_on && p.epoch < p.epochs;
    });
  }

  static nlohmann::json result_json(const TrainTask& task, const TrainResult& result) {
    nlohmann::json json = {
        {"net", task.names.net},         {"data", task.names.data},   {"status", status_name(result.status)},
        {"epochs", result.curve.size()}, {"seconds", result.seconds}, {"images_per_second", result.images_per_second}};
    if (result.train && result.validation) json.update(score_json(*result.train, *result.validation));
    if (result.test) json.update({{"test_loss", result.test->loss}, {"test_accuracy", result.test->accuracy}});
    return json;
  }

  // Of a long training some fifty epochs.
  static nlohmann::json parameters_json(const TrainResult& result) {
    constexpr std::size_t kMostPoints = 50;
    nlohmann::json list = nlohmann::json::array();
    for (const ParameterTrack& track : result.parameters) {
      nlohmann::json json = {{"layer", track.layer}, {"parameter", track.parameter}};
      const std::size_t step = 1 + (track.points.size() - 1) / kMostPoints;
      for (std::size_t i = 0; i < track.points.size(); ++i) {
        if (i % step != 0 && i + 1 != track.points.size()) continue;
        const ParameterPoint& point = track.points[i];
        json["epoch"].push_back(point.epoch);
        json["mean"].push_back(short_number(point.mean));
        json["low"].push_back(short_number(point.low));
        json["high"].push_back(short_number(point.high));
      }
      list.push_back(std::move(json));
    }
    return list;
  }

  StudySettings settings_;
  std::vector<Objective> objectives_;
  std::vector<TrainTask> tasks_;
};

}  // namespace

std::unique_ptr<Evaluator> make_train_evaluator(const StudySettings& settings) {
  return std::make_unique<TrainEvaluator>(settings);
}

}  // namespace actforge
