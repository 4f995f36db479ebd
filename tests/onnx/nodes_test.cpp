#include "actforge/onnx/nodes.h"

#include <gtest/gtest.h>

namespace actforge {
namespace {

TEST(OnnxNodes, EveryOperatorIsReadByOneRow) {
  for (const auto& family : {onnx_linear_nodes(), onnx_recurrent_nodes(), onnx_norm_nodes(), onnx_pool_nodes(),
                             onnx_merge_nodes(), onnx_shape_nodes(), onnx_cut_nodes()}) {
    EXPECT_FALSE(family.empty());
    // Of two rows for one operator only the first would be found.
    for (const OnnxNodeRow& row : family) EXPECT_EQ(find_onnx_handler(row.op), row.handler) << row.op;
  }
  EXPECT_EQ(find_onnx_handler("Mystery"), nullptr);
}

}  // namespace
}  // namespace actforge
