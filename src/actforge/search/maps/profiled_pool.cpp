#include "actforge/search/maps/profiled_pool.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "actforge/expr/ops/op.h"
#include "actforge/search/maps/comparable.h"
#include "actforge/search/maps/output_features.h"

namespace actforge {
namespace {

constexpr std::size_t kEverything = std::numeric_limits<std::size_t>::max() / 4;

void add_structure(const Expr& function, NodeId id, double weight, std::span<float> row) {
  const Node& node = function.node(id);
  const bool counts = node.kind == NodeKind::kOperator;
  if (counts) row[static_cast<std::size_t>(node.op)] += static_cast<float>(weight);
  for (const NodeId child : function.children(id)) {
    add_structure(function, child, counts ? weight / std::sqrt(2.0) : weight, row);
  }
}

OutputOptions output_options(const ProfileOptions& options, const RunContext& run) {
  OutputOptions outputs = {.inputs = options.inputs, .normal_form = options.normal_form, .run = run};
  outputs.run.seed = 0;  // all studies compare functions at the same inputs
  return outputs;
}

// output_features() divides by √n, which makes a distance a root mean square; so do we.
void squash(std::span<float> row) {
  const float root = std::sqrt(static_cast<float>(row.size()));
  for (float& y : row) y = std::asinh(y * root) / root;
}

// Eight sums side by side, which the compiler makes one vector of.
double squared_distance(std::span<const float> a, std::span<const float> b) {
  std::array<float, 8> sums = {};
  std::size_t i = 0;
  for (; i + sums.size() <= a.size(); i += sums.size()) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += (a[i + k] - b[i + k]) * (a[i + k] - b[i + k]);
  }
  double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
  for (; i < a.size(); ++i) sum += static_cast<double>((a[i] - b[i]) * (a[i] - b[i]));
  return sum;
}

std::vector<double> distances_to(std::span<const float> from, PointsView to) {
  std::vector<double> squares(to.count);
  for (std::size_t i = 0; i < to.count; ++i) squares[i] = squared_distance(from, to.row(i));
  return squares;
}

std::vector<float> to_vector(std::span<const float> row) { return {row.begin(), row.end()}; }

}  // namespace

FunctionProfile profile_of(const Expr& function, const ProfileOptions& options) {
  FunctionProfile profile;
  profile.structure.resize(op_table().size());
  add_structure(function, function.root(), 1, profile.structure);
  Points outputs = output_features(std::span(&function, 1), output_options(options, {.threads = 1}));
  if (!is_finite(outputs.row(0))) return profile;
  squash(outputs.row(0));
  profile.outputs = to_vector(outputs.row(0));
  return profile;
}

ProfiledPool::ProfiledPool(const Space& space, const Options& options) : options_(options), pool_(space, options.pool) {
  const std::size_t first = options.pool.first.size();
  const std::size_t wanted = options.size == 0 ? kEverything : std::min<std::size_t>(options.size, kEverything);
  pool_.reach(first + wanted);
  is_complete_ = pool_.size() < first + wanted && pool_.is_exhausted();
  const std::size_t count = std::min(pool_.size(), first + wanted);
  std::vector<Expr> functions;
  functions.reserve(count);
  for (std::size_t i = 0; i < count; ++i) functions.push_back(pool_[i].expr);
  const Points outputs = output_features(functions, output_options(options.profile, options.pool.run));
  const std::vector<Comparable> comparable = comparable_functions(functions, outputs, options.pool.run);
  for (std::size_t i = 0; i < count; ++i) {
    if (comparable[i] != Comparable::kYes) continue;
    number_[i] = kept_.size();
    kept_.push_back(i);
  }
  outputs_ = Points(kept_.size(), outputs.width);
  structures_ = Points(kept_.size(), op_table().size());
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    std::ranges::copy(outputs.row(kept_[i]), outputs_.row(i).begin());
    squash(outputs_.row(i));
    add_structure(functions[kept_[i]], functions[kept_[i]].root(), 1, structures_.row(i));
  }
}

std::optional<std::size_t> ProfiledPool::find(const FunctionKey& key) const {
  const std::optional<std::size_t> pooled = pool_.find(key);
  if (!pooled) return std::nullopt;
  const auto found = number_.find(*pooled);
  return found == number_.end() ? std::nullopt : std::optional(found->second);
}

FunctionProfile ProfiledPool::profile(std::size_t i) const {
  return {.outputs = to_vector(outputs_.row(i)), .structure = to_vector(structures_.row(i))};
}

std::vector<std::vector<double>> ProfiledPool::distances_from(const FunctionProfile& profile) const {
  return {distances_to(profile.outputs, outputs_), distances_to(profile.structure, structures_)};
}

std::vector<double> squared_distances(const FunctionProfile& a, const FunctionProfile& b) {
  std::vector<double> squares = {squared_distance(a.outputs, b.outputs), squared_distance(a.structure, b.structure)};
  if (!a.further.empty()) squares.push_back(squared_distance(a.further, b.further));
  return squares;
}

BlockDistances profile_distances(std::span<const FunctionProfile> a, std::span<const FunctionProfile> b) {
  BlockDistances distances = {.rows = a.size(), .columns = b.size(), .blocks = {}};
  for (const FunctionProfile& x : a) {
    for (const FunctionProfile& y : b) {
      const std::vector<double> squares = squared_distances(x, y);
      distances.blocks.resize(squares.size());
      for (std::size_t k = 0; k < squares.size(); ++k) distances.blocks[k].push_back(squares[k]);
    }
  }
  return distances;
}

}  // namespace actforge
