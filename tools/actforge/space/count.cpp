#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "actforge/space/count.h"
#include "actforge/space/sample.h"
#include "tools/actforge/space/options.h"

namespace actforge::tool {
namespace {

struct Options {
  SpaceOptions space;
  bool as_published = false;
  bool json = false;
};

nlohmann::json to_json(const CountRow& row) {
  nlohmann::json json = {{"nodes", row.nodes()},
                         {"binary", row.binary},
                         {"unary", row.unary},
                         {"nary", row.nary},
                         {"edges", row.edges},
                         {"arrangements", row.arrangements},
                         {"functions", integer_json(row.functions)}};
  if (!row.schema.empty()) json["schema"] = row.schema;
  return json;
}

void print_graphs(const std::vector<CountRow>& rows) {
  fmt::print("{:>5}  {:>6}  {:>5}  {:>5}  {:>12}  {:>20}\n", "nodes", "binary", "unary", "edges", "arrangements",
             "functions");
  for (const CountRow& row : rows) {
    fmt::print("{:>5}  {:>6}  {:>5}  {:>5}  {:>12}  {:>20}\n", row.nodes(), row.binary, row.unary, row.edges,
               row.arrangements, with_commas(row.functions));
  }
}

void print_schemas(const std::vector<CountRow>& rows) {
  std::size_t width = 6;
  for (const CountRow& row : rows) width = std::max(width, row.schema.size());
  for (const CountRow& row : rows) fmt::print("{:<{}}  {}\n", row.schema, width, with_commas(row.functions));
}

constexpr std::uint64_t kSample = 1000;

int run(const Options& options) {
  const Space space = read_space(options.space);
  if (options.as_published && space.name() != "pangaea") {
    throw Error(ErrorCode::kUsage, "--as-published is for pangaea, the only space whose published size is wrong");
  }
  const std::vector<CountRow> rows = options.as_published ? published_rows(space) : count_rows(space);
  const Integer total = sum_of(rows);
  const std::optional<Requirements>& require = space.definition().require;
  if (options.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const CountRow& row : rows) list.push_back(to_json(row));
    nlohmann::json answer = {{"total", integer_json(total)}, {"rows", list}};
    if (require) {
      answer.update({{"require", requirements_text(*require)},
                     {"sample", kSample},
                     {"admitted", count_admitted(space, kSample)}});
    }
    print_json(answer);
    return 0;
  }
  space.is_graph_space() ? print_graphs(rows) : print_schemas(rows);
  fmt::print("total  {}\n", with_commas(total));
  if (!require) return 0;
  fmt::print("{} of {} drawn from them meet '{}'\n", count_admitted(space, kSample), kSample,
             requirements_text(*require));
  return 0;
}

}  // namespace

VerbAction add_space_count(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  add_space_argument(verb, options->space);
  add_require(verb, options->space);
  verb.add_flag("--as-published", options->as_published,
                "pangaea: as the dissertation prints it, with one arrangement of 3 binary and 4 unary nodes, not 5");
  verb.add_flag("--json", options->json,
                "Answer in JSON, {\"total\":...,\"rows\":[...]}; numbers of more than 64 bits as text");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
