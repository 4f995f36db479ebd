#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "actforge/init/weights/initialiser.h"
#include "tools/actforge/common/libtorch.h"
#include "tools/actforge/common/table.h"
#include "tools/actforge/common/verb.h"
#include "tools/actforge/train/command.h"

namespace actforge::tool {
namespace {

// Recipes and initialisers, with their descriptions.
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

// Those that the short help shows.
constexpr std::array<std::string_view, 4> kCommonSettings = {"epochs", "learning-rate", "batch", "init"};

void add_options(CLI::App& verb, TrainCommand& options) {
  verb.add_option("--net", options.net, "A network of the zoo (actforge net list), or a file")
      ->capture_default_str()
      ->common();
  verb.add_option("--data", options.data, "A data set (actforge data list), or a folder or file")
      ->capture_default_str()
      ->common();
  add_activation_options(verb, options.activations);
  verb.add_option("--recipe", options.recipe, "A set of training settings (--list) [the network's own]")->common();
  add_optional_number(verb, "--subset", options.subset, "Train on this many images, equally many of each class")
      ->common();
  add_optional_number(verb, "--validation", options.validation,
                      "Hold this many images out; by default the data set's own number");
  add_whole_number(verb, "--seed", options.seed, "Seed of the split, the weights, the order of images, dropout")
      ->common();
  add_whole_number(verb, "--threads", options.threads, "0: one per processor");
  verb.add_option("--device", options.device, "cpu, or cuda where LibTorch has it")->capture_default_str()->common();
  verb.add_flag("--test", options.test, "Evaluate the test images once, at the end")->common();
  verb.add_option("--time-limit", options.time_limit, "Stop after this many seconds")
      ->type_name("SECONDS")
      ->check(CLI::NonNegativeNumber());
  verb.add_option("--checkpoint", options.checkpoint, "Save the state of the training in this file")->type_name("FILE");
  verb.add_option("--checkpoint-every", options.checkpoint_every, "Longest time between two checkpoints")
      ->type_name("SECONDS")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber());
  verb.add_flag("--resume", options.resume, "Continue from --checkpoint");
  verb.add_option("--save", options.save, "Write the final weights (safetensors)")->type_name("FILE")->common();
  verb.add_flag("--list", options.list, "List recipes and initialisers, then exit");
  verb.add_flag("--json", options.json, "Answer in JSON");
  for (const TrainField& field : train_fields()) {
    const std::string name(field.name);
    verb.add_option_function(
            "--" + name, [&options, name](const std::string& text) { options.fields[name] = text; },
            std::string(field.help))
        ->type_name("VALUE")
        ->default_str("the recipe's")
        ->common(std::ranges::find(kCommonSettings, field.name) != kCommonSettings.end())
        ->group("Settings of the recipe, each of which can be overridden");
  }
}

}  // namespace

void add_train(CLI::App& app, VerbAction& chosen) {
  CLI::App* verb = app.add_subcommand("train", "Train a network on a data set");
  verb->footer(
      "Examples:\n"
      "  actforge train --net allcnn-mini --data digits\n"
      "  actforge train --net allcnn-mini --data fashion-mnist --subset 5000 --epochs 5 --activation 'swish(x)' "
      "--test\n"
      "  actforge train --net resnet-mini --data digits --init he-normal --learning-rate 0.1 --checkpoint run.ckpt");
  const auto options = std::make_shared<TrainCommand>();
  add_options(*verb, *options);
  verb->callback([options, &chosen] {
    chosen = VerbAction([options] { return options->list ? list_names(options->json) : libtorch().train(*options); },
                        [options] { return !options->list; });
  });
}

}  // namespace actforge::tool
