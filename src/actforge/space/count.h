#pragma once

#include <string>
#include <vector>

#include "actforge/space/space.h"

namespace actforge {

// A row of a table such as "The number of activation functions" of chapter PANGAEA.
struct CountRow {
  std::string schema;  // empty where the row stands for several arrangements of a graph space
  std::size_t unary = 0, binary = 0, nary = 0;
  std::size_t edges = 0;
  std::size_t arrangements = 1;
  Integer functions = 0;

  std::size_t nodes() const { return unary + binary + nary; }
};

// One row per schema; in a graph space, one per number of unary and binary nodes. Nothing is enumerated.
std::vector<CountRow> count_rows(const Space& space);

// The rows as the dissertation prints them for pangaea: one arrangement of three binary and four unary nodes, where
// there are five.
std::vector<CountRow> published_rows(const Space& pangaea);

Integer sum_of(const std::vector<CountRow>& rows);

}  // namespace actforge
