#include "actforge/search/maps/comparable.h"

#include "actforge/search/maps/equal_functions.h"
#include "actforge/search/maps/output_features.h"
#include "actforge/search/maps/rounding_twins.h"

namespace actforge {

std::vector<Comparable> comparable_functions(std::span<const Expr> functions, const Points& outputs,
                                             const RunContext& run, std::size_t begin) {
  std::vector<Comparable> answer(functions.size(), Comparable::kYes);
  std::vector<std::size_t> finite;
  Points rows(0, outputs.width);
  for (std::size_t i = 0; i < outputs.count; ++i) {
    if (is_finite(outputs.row(i))) {
      finite.push_back(i);
      rows.values.insert(rows.values.end(), outputs.row(i).begin(), outputs.row(i).end());
      ++rows.count;
    } else if (i >= begin) {
      answer[i] = Comparable::kNotFinite;
    }
  }
  const RoundingTwins twins = rounding_twins(rows, run);
  for (std::size_t row = 0; row < finite.size(); ++row) {
    run.check();
    const std::size_t i = finite[row], first = finite[twins.first[twins.of[row]]];
    if (i >= begin && i != first && nearly_equal(functions[i], functions[first])) answer[i] = Comparable::kTwin;
  }
  return answer;
}

}  // namespace actforge
