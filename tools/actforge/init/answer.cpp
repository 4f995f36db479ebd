#include "tools/actforge/init/answer.h"

#include <fmt/format.h>

#include <cmath>

#include "actforge/report/page/html_page.h"
#include "actforge/report/svg/text.h"
#include "tools/actforge/common/table.h"

namespace actforge::tool {
namespace {

std::string short_number(double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "overflow"; }

std::string list_text(const std::vector<SignalMoments>& inputs, double SignalMoments::*field) {
  std::string text;
  for (const SignalMoments& input : inputs) text += (text.empty() ? "" : ", ") + short_number(input.*field);
  return text;
}

std::vector<std::string> titles_of(const InitAnswer& answer) {
  std::vector<std::string> titles = {"name", "kind", "#mean in", "#variance in", "#mean", "#variance", "#weight std"};
  if (answer.chosen.measured) titles.insert(titles.end(), {"#measured mean", "#measured variance"});
  titles.push_back("how");
  return titles;
}

std::vector<std::vector<std::string>> rows_of(const InitAnswer& answer) {
  constexpr int kWidest = 40;
  std::vector<std::vector<std::string>> rows;
  for (LayerId id = 0; id < answer.network->layers().size(); ++id) {
    const Layer& layer = answer.network->layer(id);
    const NodeSignal& node = answer.chosen.analysis.nodes[id];
    std::vector<std::string> row = {cut_to_columns(layer.name, kWidest, "..."),
                                    std::string(layer.kind->name),
                                    cut_to_columns(list_text(node.inputs, &SignalMoments::mean), kWidest, "..."),
                                    cut_to_columns(list_text(node.inputs, &SignalMoments::variance), kWidest, "..."),
                                    short_number(node.output.mean),
                                    short_number(node.output.variance),
                                    node.weight_deviation ? short_number(*node.weight_deviation) : ""};
    if (answer.chosen.measured) {
      const auto& measured = (*answer.chosen.measured)[id];
      row.push_back(measured ? short_number(measured->mean) : "not executed");
      row.push_back(measured ? short_number(measured->variance) +
                                   (std::isfinite(measured->error) ? fmt::format(" ±{:.1g}", 2 * measured->error) : "")
                             : "");
    }
    row.push_back(std::string(how_name(node.how)) +
                  (node.how == MomentMethod::kSimulated ? fmt::format(" ±{:.1g}%", 100 * node.error) : ""));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string coverage_text(const InitAnswer& answer) {
  const auto& c = answer.chosen.analysis.coverage;
  return fmt::format("{} layers: {} exact, {} simulated, {} passed through", answer.network->layers().size(), c[0],
                     c[1], c[2]);
}

nlohmann::json node_json(const InitAnswer& answer, LayerId id) {
  const Layer& layer = answer.network->layer(id);
  const NodeSignal& node = answer.chosen.analysis.nodes[id];
  nlohmann::json json = {{"name", layer.name},
                         {"kind", layer.kind->name},
                         {"mean_in", nlohmann::json::array()},
                         {"variance_in", nlohmann::json::array()},
                         {"mean", number(node.output.mean)},
                         {"variance", number(node.output.variance)},
                         {"correlation", number(node.output.correlation)},
                         {"spread", number(node.spread)},
                         {"weight_std", node.weight_deviation ? number(*node.weight_deviation) : nullptr},
                         {"how", how_name(node.how)}};
  for (const SignalMoments& input : node.inputs) {
    json["mean_in"].push_back(number(input.mean));
    json["variance_in"].push_back(number(input.variance));
  }
  if (node.how == MomentMethod::kSimulated) json["error"] = node.error;
  if (node.shift != 0) json["shift"] = node.shift;
  if (layer.shares) json["shares"] = answer.network->layer(*layer.shares).name;
  if (answer.chosen.measured) {
    const auto& measured = (*answer.chosen.measured)[id];
    json["empirical_mean"] = measured ? number(measured->mean) : nlohmann::json(nullptr);
    json["empirical_variance"] = measured ? number(measured->variance) : nlohmann::json(nullptr);
    json["empirical_variance_error"] = measured ? number(measured->error) : nlohmann::json(nullptr);
  }
  return json;
}

void add_series(LinePlot& plot, const SignalRow& row) {
  Series predicted = {.label = row.method + (row.measured ? ", predicted" : "")};
  for (std::size_t i = 0; i < row.analysis.nodes.size(); ++i) {
    predicted.x.push_back(static_cast<double>(i));
    predicted.y.push_back(row.analysis.nodes[i].output.variance);
  }
  plot.series.push_back(std::move(predicted));
  if (!row.measured) return;
  Series measured = {.label = row.method + ", measured"};
  for (std::size_t i = 0; i < row.measured->size(); ++i) {
    const auto& value = (*row.measured)[i];
    measured.x.push_back(static_cast<double>(i));
    measured.y.push_back(value ? value->variance : std::nan(""));
  }
  plot.series.push_back(std::move(measured));
}

}  // namespace

nlohmann::json answer_json(const InitAnswer& answer) {
  nlohmann::json json = {{"network", answer.network->name()},
                         {"method", answer.chosen.method},
                         {"nodes", nlohmann::json::array()},
                         {"warnings", answer.chosen.analysis.warnings},
                         {"notes", answer.notes},
                         {"seconds", answer.seconds}};
  for (std::size_t i = 0; i < 3; ++i) {
    json["coverage"][std::string(how_name(static_cast<MomentMethod>(i)))] = answer.chosen.analysis.coverage[i];
  }
  for (LayerId id = 0; id < answer.network->layers().size(); ++id) json["nodes"].push_back(node_json(answer, id));
  return json;
}

void print_answer(const InitAnswer& answer) {
  print_table(titles_of(answer), rows_of(answer));
  fmt::print("\n{}, {}; {:.1f} ms\n", answer.chosen.method, coverage_text(answer), 1e3 * answer.seconds);
}

LinePlot signal_plot(const InitAnswer& answer) {
  LinePlot plot = {.title = "Signal variance in " + answer.network->name(),
                   .x_label = "layer",
                   .y_label = "variance",
                   .log_y = true,
                   .width = 860};
  add_series(plot, answer.chosen);
  if (answer.other) add_series(plot, *answer.other);
  // Dots where the weights are: every second point is a gap.
  Series weights = {.label = "layers with weights (" + answer.chosen.method + ")"};
  const auto& nodes = answer.chosen.analysis.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].weight_deviation) continue;
    weights.x.insert(weights.x.end(), {static_cast<double>(i), static_cast<double>(i)});
    weights.y.insert(weights.y.end(), {nodes[i].output.variance, std::nan("")});
  }
  if (nodes.size() <= 200 && !weights.x.empty()) plot.series.push_back(std::move(weights));
  double low = 1, high = 1;
  for (const Series& series : plot.series) {
    for (const double y : series.y) {
      if (!(y > 0) || !std::isfinite(y)) continue;
      low = std::min(low, y), high = std::max(high, y);
    }
  }
  plot.y_min = low / 1.5;
  plot.y_max = high * 1.5;
  return plot;
}

std::string signal_report(const InitAnswer& answer) {
  HtmlPage page("Initial weights of " + answer.network->name());
  page.add_paragraph(fmt::format("Method: {}. {}. Analysis: {:.1f} ms.", answer.chosen.method, coverage_text(answer),
                                 1e3 * answer.seconds));
  page.add_picture(to_svg(signal_plot(answer)),
                   "Variance of each layer's output, in the order of the layers, on a logarithmic scale. Good "
                   "initial weights keep it near one at layers with weights.");
  std::vector<std::string> remarks = answer.chosen.analysis.warnings;
  remarks.insert(remarks.end(), answer.notes.begin(), answer.notes.end());
  if (!remarks.empty()) {
    page.add_heading("Warnings and notes");
    page.add_list(remarks);
  }
  page.add_heading("Layers");
  page.add_table(titles_of(answer), rows_of(answer));
  return page.text();
}

}  // namespace actforge::tool
