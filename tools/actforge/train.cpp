#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "actforge/init/initialiser.h"
#include "actforge/interrupt.h"
#include "actforge/net_options.h"
#include "actforge/progress.h"
#include "actforge/table.h"
#include "actforge/train/trainer.h"
#include "actforge/train/training_data.h"
#include "actforge/verb.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string net = "allcnn-mini";
  std::string data = "digits";
  ActivationOptions activations;
  std::optional<std::string> recipe;
  std::map<std::string, std::string> fields;  // what overrides the recipe
  std::optional<std::uint64_t> subset, validation;
  std::uint64_t seed = 0, threads = 0;
  std::string device = "cpu";
  double time_limit = 0;
  double checkpoint_every = TrainRun{}.checkpoint_every;
  std::string checkpoint, save;
  bool resume = false, test = false, json = false, list = false;
};

// Recipes and initialisers, with what they stand for.
int list_names(bool json) {
  if (!json) {
    print_summaries("recipe", recipes());
    fmt::print("\n");
    print_summaries("initialiser", initialisers());
    return 0;
  }
  nlohmann::json rows = summaries_json(recipes());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TrainOptions options = recipes()[i].options();
    for (const TrainField& field : train_fields()) {
      rows[i]["settings"][std::string(field.name)] = field_text(options, field);
    }
  }
  print_json({{"recipes", std::move(rows)}, {"initialisers", summaries_json(initialisers())}});
  return 0;
}

std::string recipe_name(const Options& options) { return options.recipe ? *options.recipe : recipe_of(options.net); }

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

nlohmann::json result_json(const TrainRun& run, const Options& options, const TrainResult& result) {
  const auto loss = [](const std::optional<Score>& s) { return s ? number(s->loss) : nlohmann::json(nullptr); };
  const auto accuracy = [](const std::optional<Score>& s) { return s ? number(s->accuracy) : nlohmann::json(nullptr); };
  nlohmann::json settings;
  for (const TrainField& field : train_fields()) settings[std::string(field.name)] = field_text(run.options, field);
  nlohmann::json json = {{"network", run.network->name()},
                         {"data", run.dataset->name},
                         {"recipe", recipe_name(options)},
                         {"settings", std::move(settings)},
                         {"seed", run.seed},
                         {"weights", run.network->weight_count()},
                         {"parameters", run.network->parameter_count()},
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
  if (run.test) {
    json["test_accuracy"] = accuracy(result.test);
    json["test_loss"] = loss(result.test);
  }
  return json;
}

void print_epoch(const EpochScore& e) {
  fmt::print("{:>5}  {:>9.5f}  {:>10.4f}  {:>8.2f}%  {:>10.4f}  {:>8.2f}%  {:>7.1f}\n", e.epoch, e.learning_rate,
             e.train.loss, 100 * e.train.accuracy, e.validation.loss, 100 * e.validation.accuracy, e.seconds);
}

void print_result(const TrainRun& run, const TrainResult& result) {
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
  } else if (run.test) {
    fmt::print("the test images were not looked at: only a completed run is tested\n");
  }
  fmt::print("{:.1f} s, {:.0f} images/s\n", result.seconds, result.images_per_second);
}

// Ctrl-C ends a run between two steps.
int run_training(const TrainRun& run, const Options& options) {
  const Interrupt interrupt;
  TrainResult result;
  {
    Progress bar("training");
    result = train(run, [&](const TrainProgress& p) {
      bar.show(
          p.epoch * p.steps + p.step, p.epochs * p.steps,
          fmt::format("  epoch {}/{}  loss {:.3f}  accuracy {:.1f}%  {:.0f} images/s", std::min(p.epoch + 1, p.epochs),
                      p.epochs, p.train.loss, 100 * p.train.accuracy, p.images_per_second));
      return !interrupt.requested();
    });
  }
  options.json ? print_json(result_json(run, options, result)) : print_result(run, result);
  if (result.status != TrainStatus::kInterrupted) return 0;
  if (run.checkpoint.empty()) {
    fmt::print(stderr, "actforge: stopped; with --checkpoint FILE a run can go on later\n");
  } else {
    fmt::print(stderr, "actforge: stopped; the same command with --resume goes on\n");
  }
  return interrupt.exit_code();
}

int execute(const Options& options) {
  if (options.list) return list_names(options.json);
  const Dataset& dataset = find_dataset(options.data);
  Network network = network_for(options.net, dataset);
  set_activations(network, options.activations);
  TrainRun run = {
      .network = &network, .dataset = &dataset, .options = recipe_options(recipe_name(options), options.fields)};
  run.subset = options.subset;
  run.validation = options.validation;
  run.seed = options.seed;
  run.threads = options.threads;
  run.device = options.device;
  run.test = options.test;
  run.time_limit = options.time_limit;
  run.checkpoint = options.checkpoint;
  run.checkpoint_every = options.checkpoint_every;
  run.resume = options.resume;
  run.save_weights = options.save;
  return run_training(run, options);
}

void add_options(CLI::App& verb, Options& options) {
  verb.add_option("--net", options.net, "A network of the zoo (actforge net list), or a file")->capture_default_str();
  verb.add_option("--data", options.data, "A data set (actforge data list)")->capture_default_str();
  add_activation_options(verb, options.activations);
  verb.add_option("--recipe", options.recipe, "Settings that belong together (--list); by default the network's own");
  add_optional_number(verb, "--subset", options.subset, "Train on this many images, equally many of each class");
  add_optional_number(verb, "--validation", options.validation,
                      "Hold this many images out; by default the data set's own number");
  add_whole_number(verb, "--seed", options.seed, "Of the split, the weights, the order of images, dropout");
  add_whole_number(verb, "--threads", options.threads, "0: one per processor");
  verb.add_option("--device", options.device, "cpu, or cuda where LibTorch has it")->capture_default_str();
  verb.add_flag("--test", options.test, "Measure the test images once, at the end");
  verb.add_option("--time-limit", options.time_limit, "Stop after this many seconds")
      ->type_name("SECONDS")
      ->check(CLI::NonNegativeNumber);
  verb.add_option("--checkpoint", options.checkpoint, "Keep the state of the run in this file")->type_name("FILE");
  verb.add_option("--checkpoint-every", options.checkpoint_every, "At most this long between two of them")
      ->type_name("SECONDS")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  verb.add_flag("--resume", options.resume, "Go on from --checkpoint");
  verb.add_option("--save", options.save, "Write the final weights (safetensors)")->type_name("FILE");
  verb.add_flag("--list", options.list, "List recipes and initialisers, and stop");
  verb.add_flag("--json", options.json, "Answer in JSON");
  for (const TrainField& field : train_fields()) {
    const std::string name(field.name);
    verb.add_option_function<std::string>(
            "--" + name, [&options, name](const std::string& text) { options.fields[name] = text; },
            std::string(field.help))
        ->type_name("VALUE")
        ->group("Settings of the recipe, each of which can be given");
  }
}

}  // namespace

void add_train(CLI::App& app, Run& chosen) {
  CLI::App* verb = app.add_subcommand("train", "Train a network on a data set");
  verb->footer(
      "Examples:\n"
      "  actforge train --net allcnn-mini --data digits\n"
      "  actforge train --net allcnn-mini --data fashion-mnist --subset 5000 --epochs 5 --activation 'swish(x)' "
      "--test\n"
      "  actforge train --net resnet-mini --data digits --init he-normal --learning-rate 0.1 --checkpoint run.ckpt");
  const auto options = std::make_shared<Options>();
  add_options(*verb, *options);
  verb->callback([options, &chosen] { chosen = [options] { return execute(*options); }; });
}

}  // namespace actforge::tool
