#include <libsvm/svm.h>

#include "actforge/base/error.h"
#include "actforge/surrogate/regressor.h"

namespace actforge {
namespace {

// 1/(width * variance of all coordinates), scikit-learn's gamma="scale"; 1 where nothing varies.
double gamma_of(PointsView points) {
  const std::size_t numbers = points.count * points.width;
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < numbers; ++i) sum += static_cast<double>(points.values[i]);
  const double mean = sum / static_cast<double>(numbers);
  for (std::size_t i = 0; i < numbers; ++i) {
    const double off = static_cast<double>(points.values[i]) - mean;
    squares += off * off;
  }
  const double variance = squares / static_cast<double>(numbers);
  return variance > 0 ? 1 / (static_cast<double>(points.width) * variance) : 1;
}

std::vector<svm_node> nodes_of(std::span<const float> row) {
  std::vector<svm_node> nodes;
  nodes.reserve(row.size() + 1);
  for (std::size_t d = 0; d < row.size(); ++d) {
    nodes.push_back({.index = static_cast<int>(d + 1), .value = static_cast<double>(row[d])});
  }
  nodes.push_back({.index = -1, .value = 0});
  return nodes;
}

struct FreeModel {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};

// libsvm, as scikit-learn's SVR() calls it.
class SupportRegressor : public Regressor {
 public:
  void learn(PointsView points, std::span<const double> values, std::span<const double> /*runs*/) override {
    svm_set_print_string_function([](const char*) {});
    width_ = points.width;
    model_.reset();
    // The model points into the rows.
    rows_.clear();
    rows_.reserve(points.count);
    for (std::size_t i = 0; i < points.count; ++i) rows_.push_back(nodes_of(points.row(i)));
    std::vector<svm_node*> pointers;
    pointers.reserve(rows_.size());
    for (std::vector<svm_node>& row : rows_) pointers.push_back(row.data());
    std::vector<double> targets(values.begin(), values.end());
    const svm_problem problem = {.l = static_cast<int>(points.count), .y = targets.data(), .x = pointers.data()};
    svm_parameter parameter = {};
    parameter.svm_type = EPSILON_SVR;
    parameter.kernel_type = RBF;
    parameter.gamma = gamma_of(points);
    parameter.C = 1;
    parameter.p = 0.1;
    parameter.eps = 1e-3;
    parameter.cache_size = 200;
    parameter.shrinking = 1;
    if (const char* wrong = svm_check_parameter(&problem, &parameter)) throw Error(ErrorCode::kBadInput, wrong);
    model_.reset(svm_train(&problem, &parameter));
  }

  std::vector<Belief> believe(PointsView points) const override {
    check_predicted(points, width_);
    std::vector<Belief> result;
    result.reserve(points.count);
    for (std::size_t i = 0; i < points.count; ++i) {
      result.push_back({.mean = svm_predict(model_.get(), nodes_of(points.row(i)).data())});
    }
    return result;
  }

 private:
  std::size_t width_ = 0;
  std::vector<std::vector<svm_node>> rows_;
  std::unique_ptr<svm_model, FreeModel> model_;
};

}  // namespace

RegressorRow support_regressor() {
  return {.name = "svr",
          .summary = "support vector regression with a Gaussian kernel",
          .make = [](const RunContext&) -> std::unique_ptr<Regressor> { return std::make_unique<SupportRegressor>(); }};
}

}  // namespace actforge
