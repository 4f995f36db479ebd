#include "tools/actforge/embed/answer.h"

#include "actforge/base/atomic_file.h"
#include "actforge/expr/language/print.h"
#include "actforge/report/svg/png.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

void write_csv(const MappedFunctions& answer, const std::string& path) {
  AtomicFile file(path);
  write_map_csv(answer, [&](std::string_view text) { file.write(text); });
  file.commit();
}

}  // namespace

bool is_map_table(const std::string& path) { return path.ends_with(".csv") || path.ends_with(".CSV"); }

nlohmann::json points_json(const MappedFunctions& answer) {
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

void write_map(const MappedFunctions& answer, const std::string& path) {
  if (is_map_table(path)) return write_csv(answer, path);
  save_picture([&] { return map_chart(map_picture(answer)); }, path);
}

}  // namespace actforge::tool
