#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "actforge/data/dataset.h"
#include "actforge/data/normalisation.h"
#include "actforge/data/split.h"
#include "actforge/report/contact_sheet.h"
#include "actforge/space/integer.h"
#include "actforge/verb.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string name;
  std::uint64_t seed = 0;
  std::optional<std::uint64_t> subset, validation;
  std::string output;
  bool indices = false;
  bool json = false;
};

// What there is to say of a data set. The test images are not loaded.
struct Shown {
  const Dataset& row;
  ImageSet set;
  Split split;
  ChannelStats stats;

  std::vector<std::size_t> class_counts(const std::vector<std::uint32_t>& images) const {
    std::vector<std::size_t> counts(row.class_names.size());
    for (const std::uint32_t image : images) ++counts[static_cast<std::size_t>(set.labels[image])];
    return counts;
  }
};

Shown look_at(const Options& options) {
  const Dataset& row = find_dataset(options.name);
  ImageSet set = load(row, Part::kTrain);
  Split split = balanced_split(
      set.labels, set.classes,
      {.validation = options.validation.value_or(row.validation), .subset = options.subset, .seed = options.seed});
  ChannelStats stats = channel_stats(set, split.train);
  return {.row = row, .set = std::move(set), .split = std::move(split), .stats = std::move(stats)};
}

void write_sheet(const Shown& shown, const std::string& path) {
  constexpr std::size_t kImagesPerClass = 16;
  ContactSheet sheet{.channels = shown.row.shape.channels,
                     .height = shown.row.shape.height,
                     .width = shown.row.shape.width,
                     .max_value = shown.row.max_value,
                     .rows = {}};
  for (const std::string_view name : shown.row.class_names) sheet.rows.push_back({std::string(name), {}});
  for (const std::uint32_t image : shown.split.train) {
    auto& images = sheet.rows[static_cast<std::size_t>(shown.set.labels[image])].images;
    if (images.size() < kImagesPerClass) images.push_back(shown.set.image(image));
  }
  write_contact_sheet(sheet, path);
}

nlohmann::json to_json(const Shown& shown, const Options& options) {
  const Dataset& row = shown.row;
  const auto part = [&](const std::vector<std::uint32_t>& images) {
    nlohmann::json json = {{"images", images.size()}, {"per_class", shown.class_counts(images)}};
    if (options.indices) json["indices"] = images;
    return json;
  };
  nlohmann::json json = {{"name", row.name},
                         {"summary", row.summary},
                         {"where", where_is(row).value_or("")},
                         {"channels", row.shape.channels},
                         {"height", row.shape.height},
                         {"width", row.shape.width},
                         {"max_value", row.max_value},
                         {"classes", row.class_names},
                         {"seed", options.seed},
                         {"train", part(shown.split.train)},
                         {"validation", part(shown.split.validation)},
                         {"test", {{"images", row.test_count}}},
                         {"mean", shown.stats.mean},
                         {"deviation", shown.stats.deviation}};
  if (!options.output.empty()) json["file"] = options.output;
  return json;
}

void print_text(const Shown& shown) {
  const Dataset& row = shown.row;
  fmt::print("{:<12} {}\n{:<12} {}\n", row.name, row.summary, "files", where_is(row).value_or("not here"));
  fmt::print("{:<12} {} by {}, {} channel{}, values from 0 to {}\n", "images", row.shape.height, row.shape.width,
             row.shape.channels, row.shape.channels == 1 ? "" : "s", row.max_value);
  fmt::print("{:<12} {} of {}\n", "training", with_commas(shown.split.train.size()), with_commas(row.train_count));
  fmt::print("{:<12} {} of the same\n", "validation", with_commas(shown.split.validation.size()));
  fmt::print("{:<12} {}, not loaded\n", "test", with_commas(row.test_count));
  for (std::size_t channel = 0; channel < shown.stats.mean.size(); ++channel) {
    fmt::print("{:<12} mean {:.6f}, standard deviation {:.6f}\n", fmt::format("channel {}", channel),
               shown.stats.mean[channel], shown.stats.deviation[channel]);
  }
  const auto train = shown.class_counts(shown.split.train), validation = shown.class_counts(shown.split.validation);
  fmt::print("\n{:<12} {:>8} {:>10}\n", "class", "training", "validation");
  for (std::size_t c = 0; c < train.size(); ++c) {
    fmt::print("{:<12} {:>8} {:>10}\n", row.class_names[c], with_commas(train[c]), with_commas(validation[c]));
  }
}

int run(const Options& options) {
  if (options.indices && !options.json) throw Error(ErrorCode::kUsage, "--indices are part of --json");
  if (!options.output.empty() && std::filesystem::path(options.output).extension() != ".png") {
    throw Error(ErrorCode::kUsage, "'" + options.output + "': the name of a sheet ends in .png");
  }
  const Shown shown = look_at(options);
  if (!options.output.empty()) write_sheet(shown, options.output);
  if (options.json) {
    print_json(to_json(shown, options));
  } else {
    print_text(shown);
  }
  if (!options.output.empty() && !options.json) fmt::print(stderr, "wrote {}\n", options.output);
  return 0;
}

}  // namespace

Run add_data_show(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("DATA", options->name, "A name of 'actforge data list'")->required();
  add_whole_number(verb, "--seed", options->seed, "Same seed, same split");
  add_optional_number(verb, "--subset", options->subset, "Training images; all that are not held out by default");
  add_optional_number(verb, "--validation", options->validation,
                      "Images held out of the training part; the set has its own default");
  verb.add_option("-o,--output", options->output, "PNG file for a sheet of training images, a row for each class")
      ->type_name("FILE");
  verb.add_flag("--indices", options->indices, "With --json: which images are in the split, counted from 0");
  verb.add_flag("--json", options->json, "Answer in JSON");
  verb.footer(
      "Mean and standard deviation are those of the training images, where the brightest pixel is 1. Of every class\n"
      "there are equally many images in a subset and in the validation set.");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
