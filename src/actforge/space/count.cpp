#include "actforge/space/count.h"

namespace actforge {

std::vector<CountRow> count_rows(const Space& space) {
  std::vector<CountRow> rows;
  for (std::size_t i = 0; i < space.schemas().size(); ++i) {
    const Schema& schema = space.schemas()[i];
    CountRow row{.schema = space.is_graph_space() ? "" : schema.text(space.lists()),
                 .unary = schema.operator_count(space.lists(), 1),
                 .binary = schema.operator_count(space.lists(), 2),
                 .nary = schema.operator_count(space.lists(), kVariadic),
                 .edges = schema.edge_count(),
                 .functions = space.begin_of(i + 1) - space.begin_of(i)};
    // A graph space lists arrangements of the same nodes one after another.
    if (space.is_graph_space() && !rows.empty() && rows.back().unary == row.unary && rows.back().binary == row.binary) {
      ++rows.back().arrangements;
      rows.back().functions += row.functions;
    } else {
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<CountRow> published_rows(const Space& pangaea) {
  std::vector<CountRow> rows = count_rows(pangaea);
  for (CountRow& row : rows) {
    if (row.binary != 3 || row.unary != 4) continue;
    row.functions /= row.arrangements;
    row.arrangements = 1;
  }
  return rows;
}

Integer sum_of(const std::vector<CountRow>& rows) {
  Integer sum = 0;
  for (const CountRow& row : rows) sum += row.functions;
  return sum;
}

}  // namespace actforge
