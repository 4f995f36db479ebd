#include "actforge/init/weights/orthogonal.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "actforge/init/weights/random_fill.h"

namespace actforge {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Q of a normal matrix's QR decomposition, columns negated where R's diagonal is negative: without that, the result
// would depend on the algorithm's choice of signs and not be uniform (Mezzadri 2007).
Matrix orthonormal_columns(Eigen::Index rows, Eigen::Index columns, Random& random) {
  Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> normal(rows, columns);
  fill_random({.shape = RandomShape::kNormal, .key = random.next()},
              {normal.data(), static_cast<std::size_t>(normal.size())});
  const Eigen::HouseholderQR<Matrix> qr(normal.cast<double>());
  Matrix q = qr.householderQ() * Matrix::Identity(rows, columns);
  for (Eigen::Index column = 0; column < columns; ++column) {
    if (qr.matrixQR()(column, column) < 0) q.col(column) = -q.col(column);
  }
  return q;
}

void fill_block(Eigen::Index rows, Eigen::Index columns, Random& random, std::span<float> values) {
  const Matrix q = orthonormal_columns(std::max(rows, columns), std::min(rows, columns), random);
  for (Eigen::Index row = 0; row < rows; ++row) {
    for (Eigen::Index column = 0; column < columns; ++column) {
      values[static_cast<std::size_t>(row * columns + column)] =
          static_cast<float>(rows >= columns ? q(row, column) : q(column, row));
    }
  }
}

}  // namespace

void fill_orthogonal(const Weight& weight, Random& random, std::span<float> values) {
  const Eigen::Index rows = weight.shape[0], columns = static_cast<Eigen::Index>(values.size()) / rows;
  // Gates stand one after another in the rows of a recurrent kernel.
  const Eigen::Index gates = weight.role == WeightRole::kRecurrentKernel ? rows / columns : 1;
  for (Eigen::Index gate = 0; gate < gates; ++gate) {
    const std::size_t size = values.size() / static_cast<std::size_t>(gates);
    fill_block(rows / gates, columns, random, values.subspan(static_cast<std::size_t>(gate) * size, size));
  }
}

double orthogonal_deviation(const Weight& weight) {
  const std::int64_t rows = weight.shape[0], columns = element_count(weight.shape) / rows;
  return 1 / std::sqrt(static_cast<double>(std::max(rows, columns)));
}

}  // namespace actforge
