#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/base/random.h"
#include "actforge/store/trial.h"

namespace actforge {

// How numbers between two bounds are spread. A row of the table in hyperparameter_space.cpp.
struct Scale;

// What one hyperparameter can be: a number on a scale from `least` to `most`, or one of `choices`.
struct HyperparameterRange {
  std::string name = {};
  const Scale* scale = nullptr;  // null: choices
  double least = 0, most = 0;
  std::vector<std::string> choices = {};
};

// Hyperparameters that are searched together with the function. Every number is a place between 0 and 1 on its scale:
// there they are drawn, take steps and are compared.
class HyperparameterSpace {
 public:
  HyperparameterSpace() = default;
  // "learning-rate=log:1e-3..0.3, epochs=int:1..10, momentum=lin:0..0.99, optimizer={sgd,adam}". Throws Error (kUsage).
  static HyperparameterSpace parse(std::string_view text);
  // What parse() takes back; equal spaces have the same.
  std::string text() const;

  bool empty() const { return ranges_.empty(); }
  std::span<const HyperparameterRange> ranges() const { return ranges_; }

  // What is evaluated where nothing is searched: the middle of each scale, the first choice.
  Hyperparameters middle() const;
  // These, with the middle for what is missing.
  Hyperparameters completed(Hyperparameters values) const;

  // All equally likely. Without ranges no random number is taken.
  Hyperparameters draw(Random& random) const;
  // A step for each: normal, with a standard deviation of a tenth of the scale, turned back at its ends; a whole number
  // then changes by one at least, and a choice becomes another in one of four.
  Hyperparameters mutate(const Hyperparameters& parent, Random& random) const;
  // Each from one of the parents.
  Hyperparameters cross(const Hyperparameters& first, const Hyperparameters& second, Random& random) const;

  // Where values are: one coordinate from 0 to 1 for a number, one for each choice, so that different choices are as
  // far apart as the ends of a scale.
  std::vector<float> coordinates(const Hyperparameters& values) const;
  std::size_t dimensions() const;

 private:
  std::vector<HyperparameterRange> ranges_;  // by name
};

}  // namespace actforge
