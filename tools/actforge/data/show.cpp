#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "actforge/data/dataset_summary.h"
#include "actforge/report/plots/contact_sheet.h"
#include "actforge/space/integer.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/common/verb.h"

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

void write_sheet(const Dataset& row, const DatasetSummary& summary, const std::string& path) {
  constexpr std::size_t kImagesPerClass = 16;
  ContactSheet sheet{.channels = row.shape.channels,
                     .height = row.shape.height,
                     .width = row.shape.width,
                     .max_value = row.max_value,
                     .rows = {}};
  for (std::size_t c = 0; c < summary.train.size(); ++c) {
    sheet.rows.push_back({std::string(row.class_names[c]), {}});
    for (const std::uint32_t image : summary.train[c]) {
      if (sheet.rows[c].images.size() < kImagesPerClass) sheet.rows[c].images.push_back(summary.images.image(image));
    }
  }
  write_contact_sheet(sheet, path);
}

nlohmann::json part_json(const std::vector<std::uint32_t>& images, const ImagesByClass& by_class, bool indices) {
  nlohmann::json per_class = nlohmann::json::array();
  for (const auto& list : by_class) per_class.push_back(list.size());
  nlohmann::json json = {{"images", images.size()}, {"per_class", std::move(per_class)}};
  if (indices) json["indices"] = images;
  return json;
}

nlohmann::json to_json(const Dataset& row, const DatasetSummary& summary, const Options& options) {
  nlohmann::json json = {{"name", row.name},
                         {"summary", row.summary},
                         {"where", where_is(row).value_or("")},
                         {"channels", row.shape.channels},
                         {"height", row.shape.height},
                         {"width", row.shape.width},
                         {"max_value", row.max_value},
                         {"classes", row.class_names},
                         {"seed", options.seed},
                         {"train", part_json(summary.split.train, summary.train, options.indices)},
                         {"validation", part_json(summary.split.validation, summary.validation, options.indices)},
                         {"test", {{"images", row.test_count}}},
                         {"mean", summary.stats.mean},
                         {"deviation", summary.stats.deviation}};
  if (!options.output.empty()) json["file"] = options.output;
  return json;
}

void print_text(const Dataset& row, const DatasetSummary& summary) {
  fmt::print("{:<12} {}\n{:<12} {}\n", row.name, row.summary, "files", where_is(row).value_or("not here"));
  fmt::print("{:<12} {} by {}, {} channel{}, values from 0 to {}\n", "images", row.shape.height, row.shape.width,
             row.shape.channels, row.shape.channels == 1 ? "" : "s", row.max_value);
  fmt::print("{:<12} {} of {}\n", "training", with_commas(summary.split.train.size()), with_commas(row.train_count));
  fmt::print("{:<12} {} of the same\n", "validation", with_commas(summary.split.validation.size()));
  fmt::print("{:<12} {}, not loaded\n", "test", with_commas(row.test_count));
  for (std::size_t channel = 0; channel < summary.stats.mean.size(); ++channel) {
    fmt::print("{:<12} mean {:.6f}, standard deviation {:.6f}\n", fmt::format("channel {}", channel),
               summary.stats.mean[channel], summary.stats.deviation[channel]);
  }
  fmt::print("\n{:<12} {:>8} {:>10}\n", "class", "training", "validation");
  for (std::size_t c = 0; c < summary.train.size(); ++c) {
    fmt::print("{:<12} {:>8} {:>10}\n", row.class_names[c], with_commas(summary.train[c].size()),
               with_commas(summary.validation[c].size()));
  }
}

int run(const Options& options) {
  if (options.indices && !options.json) throw Error(ErrorCode::kUsage, "--indices are part of --json");
  if (!options.output.empty() && std::filesystem::path(options.output).extension() != ".png") {
    throw Error(ErrorCode::kUsage, "'" + options.output + "': the name of a sheet ends in .png");
  }
  const Dataset& row = find_dataset(options.name);
  const DatasetSummary summary =
      summarise(row, {.subset = options.subset, .validation = options.validation, .seed = options.seed});
  if (!options.output.empty()) write_sheet(row, summary, options.output);
  options.json ? print_json(to_json(row, summary, options)) : print_text(row, summary);
  if (!options.output.empty() && !options.json) note("wrote {}", options.output);
  return 0;
}

}  // namespace

VerbAction add_data_show(CLI::App& verb) {
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
      "Mean and standard deviation are those of the training images, where the brightest pixel is 1. A subset and the\n"
      "validation set have equally many images of every class.");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
