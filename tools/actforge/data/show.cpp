#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "actforge/data/dataset_summary.h"
#include "actforge/data/source/opened_data.h"
#include "actforge/space/integer.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/common/verb.h"
#include "tools/actforge/data/sheet.h"

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
  if (const OpenedData* opened = opened_data(row)) {
    json["identity"] = opened->identity().hex();
    json["findings"] = nlohmann::json::array();
    for (const Finding& finding : opened->findings()) {
      json["findings"].push_back({{"what", finding.what}, {"text", finding.text}});
    }
  }
  if (!options.output.empty()) json["file"] = options.output;
  return json;
}

void print_shape(const Dataset& row, const ImageSet& images) {
  if (opened_data(row) != nullptr && opened_data(row)->unit() == "rows") {
    fmt::print("{:<12} {} numbers each\n", "rows", row.shape.channels);
    return;
  }
  fmt::print("{:<12} {} by {}, {} channel{}, {}\n", "images", row.shape.height, row.shape.width, row.shape.channels,
             row.shape.channels == 1 ? "" : "s",
             images.has_values() ? std::string("numbers that are not bytes")
                                 : fmt::format("values from 0 to {}", row.max_value));
}

// Wide enough for the names of the classes.
std::size_t class_width(const Dataset& row) {
  constexpr std::size_t kUsual = 12;
  std::size_t width = kUsual;
  for (const std::string_view name : row.class_names) width = std::max(width, name.size() + 1);
  return width;
}

void print_text(const Dataset& row, const DatasetSummary& summary) {
  fmt::print("{:<12} {}\n{:<12} {}\n", row.name, row.summary, "files", where_is(row).value_or("not here"));
  print_shape(row, summary.images);
  fmt::print("{:<12} {} of {}\n", "training", with_commas(summary.split.train.size()), with_commas(row.train_count));
  fmt::print("{:<12} {} of the same\n", "validation", with_commas(summary.split.validation.size()));
  fmt::print("{:<12} {}, not loaded\n", "test", with_commas(row.test_count));
  if (const OpenedData* opened = opened_data(row)) {
    for (const Finding& finding : opened->findings()) fmt::print("{:<12} {}\n", finding.what, finding.text);
  }
  constexpr std::size_t kMostChannels = 8;
  const std::size_t channels = summary.stats.mean.size();
  for (std::size_t channel = 0; channel < channels && channels <= kMostChannels; ++channel) {
    fmt::print("{:<12} mean {:.6f}, standard deviation {:.6f}\n", fmt::format("channel {}", channel),
               summary.stats.mean[channel], summary.stats.deviation[channel]);
  }
  const std::size_t width = class_width(row);
  fmt::print("\n{:<{}} {:>8} {:>10}\n", "class", width, "training", "validation");
  for (std::size_t c = 0; c < summary.train.size(); ++c) {
    fmt::print("{:<{}} {:>8} {:>10}\n", row.class_names[c], width, with_commas(summary.train[c].size()),
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
  if (!options.output.empty()) write_data_sheet(row, summary, options.output);
  options.json ? print_json(to_json(row, summary, options)) : print_text(row, summary);
  if (!options.output.empty() && !options.json) note("wrote {}", options.output);
  return 0;
}

std::string source_option_lines() {
  std::string lines;
  for (const SourceField& field : source_fields()) {
    const std::string usual = field_text(SourceOptions(), field.option);
    lines += fmt::format("  {:<12} {}{}\n", field.option.name, field.option.help,
                         usual.empty() ? "" : fmt::format(" [{}]", usual));
  }
  lines.pop_back();
  return lines;
}

}  // namespace

VerbAction add_data_show(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("DATA", options->name, "A name of 'actforge data list', or a folder or file with your own data")
      ->required();
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
      "validation set have equally many images of every class; of your own data, as large a part of each class.\n"
      "Options of your own data follow a question mark, as in 'folder?size=32&test=0.1':\n" +
      source_option_lines());
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
