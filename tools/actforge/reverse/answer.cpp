#include "tools/actforge/reverse/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actforge/expr/language/print.h"
#include "actforge/report/graphs/point_picture.h"
#include "actforge/report/svg/png.h"

namespace actforge::tool {
namespace {

std::string place_text(const std::vector<float>& place) { return fmt::format("({:.4g})", fmt::join(place, ", ")); }

std::string near_text(const ReverseAnswer& answer, const std::vector<NearFunction>& near) {
  std::string text;
  for (const NearFunction& one : near) {
    text +=
        fmt::format("{}{} at {:.2g}", text.empty() ? "" : ", ", to_call(answer.map.functions[one.row]), one.distance);
  }
  return text;
}

struct Extent {
  double width = 0, height = 0;
};

Extent extent_of(const Points& places) {
  float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (std::size_t i = 0; i < places.count; ++i) {
    for (std::size_t d = 0; d < 2; ++d) {
      low[d] = std::min(low[d], places.row(i)[d]);
      high[d] = std::max(high[d], places.row(i)[d]);
    }
  }
  return {static_cast<double>(high[0] - low[0]), static_cast<double>(high[1] - low[1])};
}

nlohmann::json near_json(const ReverseAnswer& answer, const std::vector<NearFunction>& near) {
  nlohmann::json list = nlohmann::json::array();
  for (const NearFunction& one : near) {
    list.push_back({{"function", to_call(answer.map.functions[one.row])}, {"distance", one.distance}});
  }
  return list;
}

Series curve(const Expr& expr) {
  constexpr int kPoints = 401;
  const Reference function(expr);
  Series series;
  for (int i = 0; i < kPoints; ++i) {
    series.x.push_back(-5 + 10.0 * i / (kPoints - 1));
    series.y.push_back(function.value(series.x.back()));
  }
  return series;
}

Series samples(const std::vector<float>& x, const std::vector<float>& y) {
  std::vector<std::pair<float, float>> sorted;
  sorted.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) sorted.emplace_back(x[i], y[i]);
  std::ranges::sort(sorted);
  Series series;
  for (const auto& [at, value] : sorted) {
    series.x.push_back(static_cast<double>(at));
    series.y.push_back(static_cast<double>(value));
  }
  return series;
}

PointPicture::Spot spot(const ReverseAnswer& answer, std::size_t row, const std::string& name) {
  const auto place = answer.map.map.places.row(row);
  return {.x = static_cast<double>(place[0]), .y = static_cast<double>(place[1]), .name = name};
}

}  // namespace

void print_answer(const FoundFunctions& found) {
  const ReverseAnswer& answer = found.answer;
  const ReverseMap& map = answer.map;
  const Extent extent = extent_of(map.map.places);
  fmt::print("{} functions of {} by their outputs at {} on a map of {:.3g} by {:.3g}{}{}\n", map.functions.size(),
             found.space, found.inputs, extent.width, extent.height,
             map.twins == 0 ? "" : fmt::format("; {} equal one of them but for rounding", map.twins),
             map.left_out == 0 ? "" : fmt::format("; {} have outputs that are too large or undefined", map.left_out));
  for (std::size_t i = 0; i < answer.made.size(); ++i) {
    const MadeFunction& made = answer.made[i];
    fmt::print("\nplace {} {}", i + 1, place_text(made.place));
    if (i < answer.empty.clearance.size()) fmt::print(", {:.3g} from every function", answer.empty.clearance[i]);
    if (answer.empty.expected) fmt::print(", expected {} {:.4g}", answer.empty.score_name, *answer.empty.expected);
    fmt::print("\n  function      {}\n", to_call(made.fit.expr));
    fmt::print("  error         {:.2g} (root mean square), {:.2g} at most, with {} knot{}\n", made.fit.rms_error,
               made.fit.max_error, made.fit.knots, made.fit.knots == 1 ? "" : "s");
    fmt::print("  on the map    at {}, {:.2g} from the place\n", place_text(made.landed), made.missed_by);
    fmt::print("  near place    {}\n", near_text(answer, made.near_place));
    fmt::print("  near outputs  {}\n", near_text(answer, made.near_outputs));
  }
}

nlohmann::json answer_json(const FoundFunctions& found) {
  const ReverseAnswer& answer = found.answer;
  const Extent extent = extent_of(answer.map.map.places);
  nlohmann::json places = nlohmann::json::array();
  for (std::size_t i = 0; i < answer.made.size(); ++i) {
    const MadeFunction& made = answer.made[i];
    nlohmann::json json = {{"place", made.place},
                           {"function", to_call(made.fit.expr)},
                           {"knots", made.fit.knots},
                           {"sharpness", made.fit.sharpness},
                           {"rms_error", made.fit.rms_error},
                           {"max_error", made.fit.max_error},
                           {"landed", made.landed},
                           {"missed_by", made.missed_by},
                           {"near_place", near_json(answer, made.near_place)},
                           {"near_outputs", near_json(answer, made.near_outputs)}};
    if (i < answer.empty.clearance.size()) json["clearance"] = answer.empty.clearance[i];
    if (answer.empty.expected) json["expected"] = {{answer.empty.score_name, number(*answer.empty.expected)}};
    places.push_back(std::move(json));
  }
  return {{"space", found.space},      {"functions", answer.map.functions.size()},
          {"twins", answer.map.twins}, {"left_out", answer.map.left_out},
          {"inputs", found.inputs},    {"map", {{"width", extent.width}, {"height", extent.height}}},
          {"places", places}};
}

void draw_answer(const FoundFunctions& found, const std::string& path) {
  const ReverseAnswer& answer = found.answer;
  const Points& places = answer.map.map.places;
  PointPicture picture = {.title = fmt::format("{}: {} functions by outputs", found.space, places.count),
                          .columns = found.columns,
                          .same_axes = found.on_the_way};
  for (std::size_t i = 0; i < places.count; ++i) {
    picture.x.push_back(static_cast<double>(places.row(i)[0]));
    picture.y.push_back(static_cast<double>(places.row(i)[1]));
  }
  for (const auto& [row, name] : answer.map.names) picture.known.push_back(spot(answer, row, name));
  for (const std::size_t row : answer.map.wanted) {
    if (!answer.map.names.contains(row)) picture.known.push_back(spot(answer, row, to_call(answer.map.functions[row])));
  }
  const std::vector<float> inputs = output_inputs(answer.map.map.inputs);
  for (const MadeFunction& made : answer.made) {
    picture.made.push_back({.x = static_cast<double>(made.place[0]),
                            .y = static_cast<double>(made.place[1]),
                            .wanted = samples(inputs, made.wanted),
                            .function = curve(made.fit.expr)});
  }
  save_picture([&] { return to_svg(picture); }, path);
}

}  // namespace actforge::tool
