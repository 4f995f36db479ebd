#include "actforge/embed_answer.h"

#include <fmt/format.h>

#include "actforge/base/atomic_file.h"
#include "actforge/base/csv.h"
#include "actforge/expr/print.h"
#include "actforge/report/png.h"
#include "actforge/verb.h"

namespace actforge::tool {
namespace {

// x, y, z; of more coordinates x1, x2, ...
std::string coordinate_name(std::size_t number, std::size_t count) {
  return count <= 3 ? std::string(1, "xyz"[number]) : fmt::format("x{}", number + 1);
}

void write_csv(const EmbedAnswer& answer, const std::string& path) {
  AtomicFile file(path);
  const std::size_t width = answer.places.width;
  std::string line = "function";
  for (std::size_t d = 0; d < width; ++d) line += "," + coordinate_name(d, width);
  file.write(line + ",label,trial,score\n");
  for (std::size_t i = 0; i < answer.functions.size(); ++i) {
    line = csv_field(to_call(answer.functions[i]));
    for (const float coordinate : answer.places.row(i)) line += fmt::format(",{}", coordinate);
    const auto label = answer.labels.find(i);
    line += "," + (label == answer.labels.end() ? "" : csv_field(label->second));
    const auto trial = answer.trials.find(i);
    if (trial == answer.trials.end()) {
      line += ",,";
    } else {
      line += fmt::format(",{},{}", trial->second.number,
                          trial->second.score ? fmt::format("{}", *trial->second.score) : "");
    }
    file.write(line + "\n");
  }
  file.commit();
}

}  // namespace

std::size_t EmbedAnswer::keep(const std::vector<bool>& kept) {
  std::vector<std::size_t> now(kept.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    now[i] = next;
    if (!kept[i]) continue;
    if (next != i) functions[next] = std::move(functions[i]);
    ++next;
  }
  functions.resize(next);
  const auto renumber = [&](auto& by_number) {
    std::decay_t<decltype(by_number)> renumbered;
    for (auto& [number, value] : by_number) {
      if (kept[number]) renumbered.emplace(now[number], std::move(value));
    }
    by_number = std::move(renumbered);
  };
  renumber(labels);
  renumber(trials);
  return kept.size() - next;
}

bool is_map_table(const std::string& path) { return path.ends_with(".csv") || path.ends_with(".CSV"); }

FunctionMapPicture map_picture(const EmbedAnswer& answer) {
  FunctionMapPicture picture = {.title = answer.title};
  picture.score_name = answer.score_name;
  picture.less_is_better = answer.less_is_better;
  for (std::size_t i = 0; i < answer.functions.size(); ++i) {
    const MapPlace place = {static_cast<double>(answer.places.row(i)[0]), static_cast<double>(answer.places.row(i)[1])};
    const auto trial = answer.trials.find(i);
    if (trial == answer.trials.end()) {
      picture.functions.push_back(place);
    } else {
      picture.trials.push_back({.place = place,
                                .number = trial->second.number,
                                .expression = trial->second.expression,
                                .score = trial->second.score});
    }
    const auto label = answer.labels.find(i);
    if (label != answer.labels.end()) picture.known.push_back({place, label->second});
  }
  return picture;
}

nlohmann::json points_json(const EmbedAnswer& answer) {
  nlohmann::json points = nlohmann::json::array();
  for (std::size_t i = 0; i < answer.functions.size(); ++i) {
    const std::span<const float> place = answer.places.row(i);
    nlohmann::json point = {{"function", to_call(answer.functions[i])},
                            {"place", std::vector<float>(place.begin(), place.end())}};
    const auto label = answer.labels.find(i);
    if (label != answer.labels.end()) point["label"] = label->second;
    const auto trial = answer.trials.find(i);
    if (trial != answer.trials.end()) {
      point["trial"] = trial->second.number;
      point["score"] = trial->second.score ? number(*trial->second.score) : nlohmann::json();
    }
    points.push_back(std::move(point));
  }
  return points;
}

void check_map_name(const std::string& path) {
  if (is_map_table(path)) return;
  try {
    check_picture_name(path);
  } catch (const Error&) {
    throw Error(ErrorCode::kUsage, "'" + path + "': a map is written to .svg, .png or .csv");
  }
}

void write_map(const EmbedAnswer& answer, const std::string& path) {
  if (is_map_table(path)) return write_csv(answer, path);
  save_picture([&] { return map_chart(map_picture(answer)); }, path);
}

}  // namespace actforge::tool
