// Reshapes, cuts and merges, and the extent that counts the samples.
#include "actforge/onnx/dims.h"
#include "tests/onnx/helpers.h"

namespace actforge {
namespace {

Dims dims_of(const Shape& shape) {  // 0 is the number of samples
  Dims dims;
  for (const std::int64_t extent : shape)
    dims.push_back(extent == 0 ? Dim{.size = 1, .batch = true} : Dim{.size = extent});
  return dims;
}
std::vector<Symbol> symbols(const std::vector<std::pair<double, bool>>& list) {
  std::vector<Symbol> result;
  for (const auto& [value, batch] : list) result.push_back({.value = value, .batch = batch});
  return result;
}

TEST(OnnxDims, TheSamplesAreFoundAgain) {
  // [5, N, 8] -> [5, 2N, 4] -> back, as attention does it.
  const Dims split = reshaped(dims_of({5, 0, 8}), {.extents = symbols({{5, false}, {2, true}, {4, false}})});
  EXPECT_EQ(dims_text(split), "[5, 2N, 4]");
  EXPECT_EQ(sample_shape(split), (Shape{5, 2, 4}));
  EXPECT_EQ(split[1].before, 1);
  const Dims rows = reshaped(split, {.extents = symbols({{-1, false}, {8, false}})});
  EXPECT_EQ(dims_text(rows), "[5N, 8]");
  EXPECT_EQ(rows[0].before, 5);
  EXPECT_EQ(reshaped(rows, {.extents = symbols({{5, false}, {1, true}, {8, false}})}), dims_of({5, 0, 8}));
}

TEST(OnnxDims, AFixedNumberOfSamplesIsFoundByItsPlaceInMemory) {
  const Dims split =
      reshaped(dims_of({5, 0, 8}), {.extents = symbols({{5, false}, {6, false}, {4, false}}), .batch_size = 3});
  EXPECT_EQ(dims_text(split), "[5, 2N, 4]");
  const Dims flat = reshaped(dims_of({0, 3, 4}), {.extents = symbols({{1, false}, {-1, false}}), .batch_size = 1});
  EXPECT_EQ(dims_text(flat), "[N, 12]");
  EXPECT_EQ(dims_text(reshaped(dims_of({0, 1, 4}),
                               {.extents = symbols({{1, false}, {1, false}, {4, false}}), .batch_size = 1})),
            "[N, 1, 4]");
}

TEST(OnnxDims, WhatTakesTheSamplesApartIsRefused) {
  EXPECT_TRUE(contains(refusal([] {
                         reshaped(dims_of({0, 6}), {.extents = symbols({{4, false}, {9, false}}), .batch_size = 6});
                       }),
                       "samples"));
  EXPECT_TRUE(contains(refusal([] {
                         reshaped(dims_of({0, 6}), {.extents = symbols({{-1, false}, {4, false}})});
                       }),
                       "cannot become"));
  EXPECT_TRUE(contains(refusal([] {
                         reshaped(dims_of({0, 6}), {.extents = symbols({{-1, false}, {-1, false}})});
                       }),
                       "only one"));
}

TEST(OnnxShape, FlattenByComputedShape) {
  ModelMaker maker;
  maker.node("Shape", {maker.input("x", {0, 3, 4, 4})}, "shape");
  maker.node("Gather", {"shape", maker.integer("zero", 0)}, "n");
  maker.node("Unsqueeze", {"n", maker.integers("axes", {0})}, "row");
  maker.node("Concat", {"row", maker.integers("rest", {-1})}, "target");
  maker.with("axis", 0);
  maker.node("Reshape", {"x", "target"}, "flat");
  maker.node("Gemm", {"flat", maker.weight("w", {48, 2})}, "y");
  maker.output("y");
  EXPECT_EQ(maker.layers(),
            "x = input(shape=3x4x4)\ny/flatten = flatten(x)\ny = dense(y/flatten, units=2, bias=false)\nreturn y\n");
}

TEST(OnnxShape, ATransposeThatMovesTheSamplesIsNothing) {
  ModelMaker maker;
  maker.node("Transpose", {maker.input("x", {0, 5, 3})}, "t");
  maker.with("perm", std::vector<std::int64_t>{1, 0, 2});
  maker.node("MatMul", {"t", maker.weight("w", {3, 2})}, "m");
  maker.node("Transpose", {"m"}, "y");
  maker.with("perm", std::vector<std::int64_t>{1, 0, 2}).output("y");
  EXPECT_EQ(maker.layers(), "x = input(shape=5x3, channels_last=true)\nm = dense(x, units=2, bias=false)\nreturn m\n");
}

TEST(OnnxShape, ImagesWithChannelsLast) {
  ModelMaker maker;
  maker.node("Transpose", {maker.input("x", {0, 8, 8, 3})}, "t");
  maker.with("perm", std::vector<std::int64_t>{0, 3, 1, 2});
  maker.node("Conv", {"t", maker.weight("w", {4, 3, 3, 3})}, "y");
  maker.output("y");
  EXPECT_TRUE(
      contains(maker.layers(), "x = input(shape=8x8x3, channels_last=true)\nt = permute(x, order=2x0x1)\ny = conv(t,"))
      << maker.layers();
}

TEST(OnnxShape, SlicesSplitsAndGathers) {
  ModelMaker maker;
  maker.node("Slice",
             {maker.input("x", {0, 6, 4}), maker.integers("b", {1, 0}), maker.integers("e", {-1, 9}),
              maker.integers("a", {1, 2})},
             "s");
  maker.node("Split", {"s", maker.integers("sizes", {1, 3})}, Names{"p", "q"});
  maker.with("axis", 1);
  maker.node("Gather", {"q", maker.integer("second", -2)}, "g");
  maker.with("axis", 1);
  maker.output("g");
  EXPECT_EQ(maker.layers(),
            "x = input(shape=6x4)\ns = slice(x, axis=0, begin=1, length=4)\np = slice(s, axis=0, begin=1, length=3)\n"
            "g = slice(p, axis=0, begin=1, length=1)\ng/flatten = flatten(g)\nreturn g/flatten\n");
}

TEST(OnnxShape, OldFilesHaveAttributesWhereNewOnesHaveInputs) {
  ModelMaker maker(9);
  maker.node("Slice", {maker.input("x", {0, 6, 4, 4})}, "s");
  maker.with("starts", Shape{2}).with("ends", Shape{6}).with("axes", Shape{1});
  maker.node("Pad", {"s"}, "p");
  maker.with("pads", Shape{0, 0, 1, 1, 0, 0, 2, 1}).with("mode", "constant");
  maker.node("Upsample", {"p", maker.weight("scales", {4}, {1, 1, 2, 2})}, "u");
  maker.with("mode", "nearest");
  maker.node("ReduceSum", {"u"}, "r");
  maker.with("axes", Shape{2, 3}).with("keepdims", 0);
  maker.node("Unsqueeze", {"r"}, "v");
  maker.with("axes", Shape{2, 3});
  maker.node("Squeeze", {"v"}, "y");
  maker.with("axes", Shape{2, 3}).output("y");
  EXPECT_EQ(maker.layers(),
            "x = input(shape=6x4x4)\ns = slice(x, axis=0, begin=2, length=4)\np = zero_padding(s, padding=1:2x1)\n"
            "u = up_sampling(p)\nr = reduce_sum(u, axes=1x2)\nreturn r\n");
}

TEST(OnnxShape, NewFiles) {
  ModelMaker maker(18);
  maker.node("Pad", {maker.input("x", {0, 2, 4, 4}), maker.integers("pads", {0, 0, 1, 1, 0, 0, 1, 1})}, "p");
  maker.node("Resize", {"p", "", "", maker.integers("sizes", {1, 2, 12, 12})}, "u");
  maker.with("mode", "nearest");
  maker.node("ReduceMean", {"u", maker.integers("axes", {2, 3})}, "y");
  maker.output("y");
  EXPECT_EQ(maker.layers(),
            "x = input(shape=2x4x4)\np = zero_padding(x, padding=1x1)\nu = up_sampling(p)\n"
            "y = reduce_mean(u, axes=1x2, keep=true)\nreturn y\n");
}

TEST(OnnxShape, MergesRepeatWhatIsSmaller) {
  ModelMaker maker;
  maker.input("x", {0, 4, 3, 3});
  maker.node("GlobalMaxPool", {"x"}, "g");
  maker.node("Mul", {"x", "g"}, "m");
  maker.node("Max", {"m", "x", "g"}, "y");
  maker.node("Concat", {"y", "x"}, "c");
  maker.with("axis", 1);
  maker.output("c");
  EXPECT_EQ(maker.layers(),
            "x = input(shape=4x3x3)\ng = global_max_pool(x)\nm/reshape = reshape(g, shape=4x1x1, channels=0)\n"
            "m = multiply(x, m/reshape)\ny = maximum(m, x, m/reshape)\nc = concatenate(y, x, axis=0)\nreturn c\n");
}

TEST(OnnxShape, ConstantsThatAreNotScalars) {
  ModelMaker maker;
  maker.node("Mul", {maker.input("x", {0, 2, 3}), maker.weight("c", {2, 1}, {1, 3})}, "m");
  maker.node("Div", {"m", maker.weight("d", {1, 2, 3}, {2, 2, 2, 2, 2, 2})}, "y");
  maker.output("y");
  EXPECT_EQ(maker.layers(),
            "x = input(shape=2x3)\nm/constant = constant(shape=2x1, mean=2, variance=1)\nm = multiply(x, m/constant)\n"
            "y/constant = constant(shape=2x3, mean=0.5)\ny = multiply(m, y/constant)\nreturn y\n");
  const OnnxFile file = maker.read();
  EXPECT_EQ(file.values(1, 0), (std::vector<float>{1, 3}));
  EXPECT_EQ(file.values(3, 0), std::vector<float>(6, 0.5F));
}

TEST(OnnxShape, ASoftmaxOfOldFilesTakesExtentsTogether) {
  ModelMaker maker(11);
  maker.node("Softmax", {maker.input("x", {0, 2, 3})}, "y");
  maker.output("y");
  EXPECT_EQ(maker.layers(),
            "x = input(shape=2x3)\ny/flatten = flatten(x)\ny = softmax(y/flatten)\ny/reshape = reshape(y, "
            "shape=2x3, channels=1)\nreturn y/reshape\n");
}

TEST(OnnxShape, WhatNobodyUsesIsLeftOut) {
  ModelMaker maker;
  maker.input("unused", {0, 7});
  maker.node("Relu", {maker.input("x", {0, 3})}, "y");
  maker.node("Relu", {"x"}, "dead");
  maker.node("Sigmoid", {"dead"}, "deader");
  maker.output("y");
  EXPECT_EQ(maker.layers(), "x = input(shape=3)\ny = activation(x, function=relu(x))\nreturn y\n");
  EXPECT_TRUE(contains(maker.read().notes()[0], "'unused': nothing uses it"));
}

}  // namespace
}  // namespace actforge
