#include "actforge/surrogate/spectral_modes.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "actforge/base/parallel.h"
#include "actforge/base/random.h"

namespace actforge {
namespace {

using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::Index;

// Graphs up to this size are solved as dense matrices.
constexpr std::size_t kDense = 256;
constexpr int kDegree = 40;
constexpr int kRounds = 20;
// A start for the layout needs no more.
constexpr double kTolerance = 1e-4;

// A = D^(-1/2) W D^(-1/2), whose eigenvalues lie in [-1, 1]; the slowest modes have the largest.
class Adjacency {
 public:
  Adjacency(const FuzzyGraph& graph, const RunContext& run) : graph_(graph), run_(run) {
    scale_.resize(graph.count);
    for (std::size_t i = 0; i < graph.count; ++i) {
      double degree = 0;
      for (const float strength : graph.strengths(i)) degree += static_cast<double>(strength);
      scale_[i] = 1 / std::sqrt(degree);
    }
  }

  Index size() const { return static_cast<Index>(graph_.count); }

  Eigen::VectorXd trivial_mode() const {
    Eigen::VectorXd mode(size());
    for (Index i = 0; i < size(); ++i) mode[i] = 1 / scale_[static_cast<std::size_t>(i)];
    return mode.normalized();
  }

  // The one step that all methods here repeat; so it is where they can be stopped.
  Block times(const Block& x) const {
    run_.check();
    Block y(x.rows(), x.cols());
    const bool small = graph_.edges() * static_cast<std::size_t>(x.cols()) < 2'000'000;
    parallel_for(
        small ? 1 : thread_count(run_.threads), graph_.count, [&](std::size_t begin, std::size_t end, std::size_t) {
          for (std::size_t i = begin; i < end; ++i) {
            auto row = y.row(static_cast<Index>(i));
            row.setZero();
            for (std::size_t e = graph_.begin[i]; e < graph_.begin[i + 1]; ++e) {
              const std::uint32_t j = graph_.neighbour[e];
              row += scale_[i] * scale_[j] * static_cast<double>(graph_.strength[e]) * x.row(static_cast<Index>(j));
            }
          }
        });
    return y;
  }

  Eigen::MatrixXd dense() const { return times(Block::Identity(size(), size())); }

 private:
  const FuzzyGraph& graph_;
  const RunContext& run_;
  std::vector<double> scale_;
};

void orthonormalise(Block& x, const Eigen::VectorXd& trivial) {
  x -= trivial * (trivial.transpose() * x).eval();
  x = Eigen::HouseholderQR<Eigen::MatrixXd>(x).householderQ() * Eigen::MatrixXd::Identity(x.rows(), x.cols());
  x -= trivial * (trivial.transpose() * x).eval();
}

// T_p of A moved so that [-1, cut] becomes [-1, 1]: there the polynomial stays within one, and above `cut` it grows as
// fast as any polynomial of its degree can. T_{p+1}(t) = 2 t T_p(t) - T_{p-1}(t).
Block chebyshev_filtered(const Adjacency& a, const Block& x, double cut) {
  const double half = (cut + 1) / 2, centre = (cut - 1) / 2;
  Block before = x;
  Block now = (a.times(x) - centre * x) / half;
  for (int p = 1; p < kDegree; ++p) {
    Block next = a.times(now);
    next = (2 / half) * (next - centre * now) - before;
    before = std::move(now);
    now = std::move(next);
  }
  return now;
}

// Chebyshev-filtered subspace iteration (Zhou and Saad 2006): filter, orthonormalise, solve within the subspace; its
// smallest eigenvalue is where the next filter cuts.
Block iterated_modes(const Adjacency& a, const ModeOptions& options) {
  const auto wanted = static_cast<Index>(options.count);
  const Index columns = std::min<Index>(2 * wanted + 6, a.size() - 1);
  const Eigen::VectorXd trivial = a.trivial_mode();
  Random random(options.run.seed, 0, "umap modes");
  Block x(a.size(), columns);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = random.normal();
  orthonormalise(x, trivial);
  double cut = 0;
  for (int round = 0; round < kRounds; ++round) {
    x = chebyshev_filtered(a, x, cut);
    orthonormalise(x, trivial);
    const Block ax = a.times(x);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd(x.transpose() * ax));
    // Eigen sorts upward.
    const Eigen::MatrixXd vectors = solver.eigenvectors().rowwise().reverse();
    const Eigen::VectorXd values = solver.eigenvalues().reverse();
    x = (x * vectors).eval();
    const Block residual = (ax * vectors).eval() - x * values.asDiagonal();
    if (residual.leftCols(wanted).colwise().norm().maxCoeff() < kTolerance) break;
    cut = std::clamp(values[columns - 1], 0.0, 1 - 1e-9);
  }
  return x.leftCols(wanted);
}

Block dense_modes(const Adjacency& a, const ModeOptions& options) {
  Eigen::MatrixXd matrix = a.dense();
  const Eigen::VectorXd trivial = a.trivial_mode();
  // The trivial mode moves from 1 to the other end of the spectrum.
  matrix -= 3 * trivial * trivial.transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  const Eigen::MatrixXd vectors = solver.eigenvectors().rowwise().reverse();
  return vectors.leftCols(static_cast<Index>(options.count));
}

}  // namespace

std::vector<double> slowest_modes(const FuzzyGraph& graph, const ModeOptions& options) {
  const Adjacency a(graph, options.run);
  const bool dense = graph.count <= std::max(kDense, 4 * options.count);
  const Block modes = dense ? dense_modes(a, options) : iterated_modes(a, options);
  return {modes.data(), modes.data() + modes.size()};
}

}  // namespace actforge
