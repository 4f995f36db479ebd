#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>

#include "actforge/base/error.h"
#include "actforge/expr/ops/op.h"
#include "actforge/expr/ops/ops.h"

namespace actforge {
namespace {

// Rows that the enumeration does not name follow those that it does.
void number_rows(std::vector<OpInfo>& table) {
  std::size_t next = kNamedOps;
  for (OpInfo& row : table) {
    if (row.op == kUnnamed) row.op = static_cast<Op>(next++);
  }
  if (next > kMostOps) throw Error(ErrorCode::kFailed, "more operators than kMostOps");
  std::ranges::stable_sort(table, {}, &OpInfo::op);
}

std::vector<OpInfo> join_rows() {
  std::vector<OpInfo> table;
  for (auto* rows : {pangaea_unary_rows, cafe_unary_rows, named_function_rows, binary_rows, variadic_rows}) {
    std::ranges::move(rows(), std::back_inserter(table));
  }
  number_rows(table);
  // The enumeration indexes the table; a row in the wrong place would give every later operator a wrong meaning.
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (static_cast<std::size_t>(table[i].op) != i) throw Error(ErrorCode::kFailed, "operator table has a gap");
  }
  if (table.size() < kNamedOps) throw Error(ErrorCode::kFailed, "operator table incomplete");
  return table;
}

const std::vector<OpInfo>& table() {
  static const std::vector<OpInfo> rows = join_rows();
  return rows;
}

}  // namespace

std::span<const OpInfo> op_table() { return table(); }

const OpInfo& op_info(Op op) { return table()[static_cast<std::size_t>(op)]; }

const OpInfo* find_op(std::string_view name) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, const OpInfo*> map;
    for (const OpInfo& row : table()) map.emplace(row.name, &row);
    return map;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

std::span<const std::string_view> op_names() {
  static const auto names = [] {
    std::vector<std::string_view> list;
    for (const OpInfo& row : table()) list.push_back(row.name);
    return list;
  }();
  return names;
}

Op binary_step(Op op) {
  switch (op) {
    case Op::kSumN: return Op::kAdd;
    case Op::kProdN: return Op::kMul;
    case Op::kMaxN: return Op::kMax;
    case Op::kMinN: return Op::kMin;
    default: return op;
  }
}

std::span<const Op> pangaea_unary() {
  static const auto list = [] {
    std::vector<Op> ops;
    for (const OpInfo& row : pangaea_unary_rows()) ops.push_back(row.op);
    return ops;
  }();
  return list;
}

std::span<const Op> pangaea_binary() {
  static constexpr std::array kList = {Op::kAdd, Op::kSub, Op::kMul, Op::kDivNoNan, Op::kPow, Op::kMax, Op::kMin};
  return kList;
}

// The dissertation's list says arctanh, but every function that the search discovered uses arctan.
std::span<const Op> cafe_unary() {
  static constexpr std::array kList = {
      Op::kZero, Op::kOne,   Op::kIdentity, Op::kNegative,  Op::kAbs,  Op::kSquare,  Op::kCube,    Op::kSqrt,
      Op::kExp,  Op::kGauss, Op::kSoftplus, Op::kLogAbsEps, Op::kSin,  Op::kSinh,    Op::kArcsinh, Op::kCos,
      Op::kCosh, Op::kTanh,  Op::kArctan,   Op::kRelu,      Op::kMin0, Op::kSigmoid, Op::kErf,     Op::kSinc};
  return kList;
}

std::span<const Op> cafe_binary() {
  static constexpr std::array kList = {Op::kAdd, Op::kSub, Op::kMul, Op::kDivEps, Op::kMax, Op::kMin};
  return kList;
}

}  // namespace actforge
