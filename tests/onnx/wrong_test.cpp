// Files that are not what they should be: each is refused with a reason.
#include "tests/onnx/helpers.h"

namespace actforge {
namespace {

std::string refused(ModelMaker& maker) {
  return refusal([&] { maker.read(); });
}

// x -> Relu -> y
ModelMaker& simple(ModelMaker& maker) {
  maker.node("Relu", {maker.input("x", {0, 3})}, "y");
  maker.output("y");
  return maker;
}

TEST(OnnxWrong, NoFileAndNoModel) {
  const OnnxFolder folder;
  EXPECT_TRUE(contains(refusal([&] { OnnxFile::read(folder / "none.onnx"); }), "there is no such file"));
  EXPECT_TRUE(contains(refusal([&] { OnnxFile::read(folder / "."); }), "there is no such file"));
  write_bytes(folder / "text.onnx", "this is not a model");
  EXPECT_TRUE(contains(refusal([&] { OnnxFile::read(folder / "text.onnx"); }), "text.onnx': it is not an ONNX file"));
  write_bytes(folder / "empty.onnx", "");
  EXPECT_TRUE(contains(refusal([&] { OnnxFile::read(folder / "empty.onnx"); }), "holds no graph"));
}

// Every beginning of a file is refused or read, never worse.
TEST(OnnxWrong, CutAnywhere) {
  ModelMaker maker;
  maker.node("Gemm", {maker.input("x", {0, 3}), maker.weight("w", {3, 2}), maker.weight("b", {2})}, "y");
  maker.output("y");
  const std::string bytes = maker.model.SerializeAsString();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    write_bytes(maker.folder / "cut.onnx", bytes.substr(0, size));
    try {
      OnnxFile::read(maker.folder / "cut.onnx");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    }
  }
}

TEST(OnnxWrong, OperatorSets) {
  for (const int opset : {0, 6, 22, 100}) {
    ModelMaker maker(opset);
    EXPECT_TRUE(contains(refused(simple(maker)), "operator set " + std::to_string(opset)));
  }
  for (const int opset : {7, 21}) {
    ModelMaker maker(opset);
    EXPECT_NO_THROW(simple(maker).read());
  }
}

TEST(OnnxWrong, Graphs) {
  ModelMaker circle;
  circle.node("Add", {circle.input("x", {0, 3}), "b"}, "a");
  circle.node("Relu", {"a"}, "b");
  circle.output("b");
  EXPECT_TRUE(contains(refused(circle), "the graph has a cycle"));

  ModelMaker missing;
  missing.node("Add", {missing.input("x", {0, 3}), "nowhere"}, "y");
  missing.output("y");
  EXPECT_TRUE(contains(refused(missing), "node 'y' (Add): nothing makes its input 'nowhere'"));

  ModelMaker twice;
  simple(twice).node("Tanh", {"x"}, "y");
  EXPECT_TRUE(contains(refused(twice), "'y' is already taken"));

  ModelMaker no_output;
  no_output.node("Relu", {no_output.input("x", {0, 3})}, "y");
  EXPECT_TRUE(contains(refused(no_output), "no output"));

  ModelMaker unmade;
  simple(unmade).output("z");
  EXPECT_TRUE(contains(refused(unmade), "nothing makes the output 'z'"));

  ModelMaker constant;
  constant.node("Relu", {constant.weight("w", {2})}, "y");
  constant.output("w");
  EXPECT_TRUE(contains(refused(constant), "none of its outputs depends on an input"));
}

TEST(OnnxWrong, NodesInAnyOrderAreSorted) {
  ModelMaker maker;
  maker.node("Relu", {"a"}, "y");
  maker.node("MatMul", {maker.input("x", {0, 3}), maker.weight("w", {3, 3})}, "a");
  maker.output("y");
  EXPECT_TRUE(contains(maker.layers(), "y = activation(a"));
}

TEST(OnnxWrong, InputsWithoutFixedExtents) {
  ModelMaker maker;
  maker.node("Relu", {maker.input("x", {0, 3, 0})}, "y");
  maker.output("y");
  EXPECT_TRUE(contains(refused(maker), "input 'x': its extent 2 ('N') has no fixed size"));
}

TEST(OnnxWrong, Weights) {
  ModelMaker mismatch;
  mismatch.node("Conv", {mismatch.input("x", {0, 3, 8, 8}), mismatch.weight("w", {4, 2, 3, 3})}, "y");
  mismatch.output("y");
  EXPECT_TRUE(contains(refused(mismatch), "node 'y' (Conv): its weights [4, 2, 3, 3] do not fit"));

  // A node in an unknown form is passed through where its extents are declared; what contradicts itself is not.
  ModelMaker declared;
  declared.node("MatMul", {declared.input("x", {0, 3}), declared.weight("w", {4, 2})}, "y");
  ModelMaker::declare(*declared.graph().add_output(), "y", {0, 2});
  EXPECT_TRUE(contains(refused(declared), "node 'y' (MatMul): its weights [4, 2] do not fit its input [N, 3]"));

  ModelMaker bias;
  bias.node("Conv", {bias.input("x", {0, 3, 8, 8}), bias.weight("w", {4, 3, 3, 3}), bias.weight("b", {5})}, "y");
  ModelMaker::declare(*bias.graph().add_output(), "y", {0, 4, 6, 6});
  EXPECT_TRUE(contains(refused(bias), "node 'y' (Conv): the tensor 'b' has 5 numbers where 4 are needed"));

  ModelMaker negative;
  negative.node("MatMul", {negative.input("x", {0, 3}), negative.weight("w", {3, 2})}, "y");
  negative.output("y");
  negative.graph().mutable_initializer(0)->set_dims(0, -3);
  EXPECT_TRUE(contains(refused(negative), "tensor 'w': it has a negative extent"));
  negative.graph().mutable_initializer(0)->set_dims(0, std::int64_t{1} << 62);
  EXPECT_TRUE(contains(refused(negative), "tensor 'w': it is too large"));

  ModelMaker short_data;
  short_data.node("Add", {short_data.input("x", {0, 3}), short_data.weight("w", {3})}, "y");
  short_data.output("y");
  short_data.graph().mutable_initializer(0)->set_raw_data("abc");
  EXPECT_TRUE(contains(refused(short_data), "it has 3 bytes, but its extents ask for 12"));

  ModelMaker doubled;
  simple(doubled).weight("w", {1});
  doubled.weight("w", {1});
  EXPECT_TRUE(contains(refused(doubled), "two initializers are named 'w'"));
}

TEST(OnnxWrong, ANodeThatCannotBeALayerIsOpaqueWhereItsExtentsAreDeclared) {
  ModelMaker maker;
  maker.node("Conv", {maker.input("x", {0, 3, 8, 8}), maker.input("w", {0, 3, 3, 3})}, "y");
  ModelMaker::declare(*maker.graph().add_output(), "y", {0, 4, 6, 6});
  EXPECT_TRUE(contains(maker.layers(), "y = opaque(x, w, type=Conv, shape=4x6x6)"));
  EXPECT_TRUE(contains(maker.read().notes()[0], "its input 1 is not a constant"));
}

TEST(OnnxWrong, WeightsThatTheFileComputesAreNamed) {
  ModelMaker maker;
  maker.node("Mul", {maker.weight("w", {4, 3, 3, 3}), maker.weight("g", {4, 1, 1, 1})}, "scaled");
  maker.node("Conv", {maker.input("x", {0, 3, 8, 8}), "scaled", maker.weight("b", {4})}, "y");
  maker.output("y");
  const OnnxFile file = maker.read();
  ASSERT_FALSE(file.notes().empty());
  EXPECT_TRUE(contains(file.notes().back(), "node 'y' (Conv): its weights are no floats of the file"));
  const LayerId conv = file.network().outputs()[0];
  EXPECT_FALSE(file.holds(conv, 0));
  EXPECT_TRUE(file.holds(conv, 1));
}

TEST(OnnxWrong, ExternalDataStaysBesideTheModel) {
  for (const char* location : {"/etc/passwd", "../secret", "a/../../secret", "link", "", "missing", "."}) {
    ModelMaker maker;
    maker.node("Add", {maker.input("x", {0, 3}), maker.weight("w", {3})}, "y");
    maker.output("y");
    std::filesystem::create_symlink("/etc/passwd", maker.folder / "link");
    onnx::TensorProto& tensor = *maker.graph().mutable_initializer(0);
    tensor.clear_raw_data();
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    onnx::StringStringEntryProto& entry = *tensor.add_external_data();
    entry.set_key("location");
    entry.set_value(location);
    EXPECT_TRUE(contains(refused(maker), "tensor 'w'")) << location;
  }
}

// A part of the samples is no network of one sample.
TEST(OnnxWrong, SomeOfTheSamples) {
  ModelMaker gather;
  gather.node("Gather", {gather.input("x", {0, 3}), gather.integer("first", 0)}, "y");
  gather.output("y");
  EXPECT_TRUE(contains(refused(gather), "node 'y' (Gather): it takes some of the samples"));

  ModelMaker slice;
  slice.node("Slice", {slice.input("x", {4, 3}), slice.integers("b", {0}), slice.integers("e", {2})}, "y");
  slice.output("y");
  EXPECT_TRUE(contains(refused(slice), "it takes some of the samples"));

  ModelMaker all;
  all.node("Slice", {all.input("x", {4, 3}), all.integers("b", {0}), all.integers("e", {4})}, "s");
  all.node("Relu", {"s"}, "y");
  all.output("y");
  EXPECT_TRUE(contains(all.layers(), "y = activation(x,"));

  ModelMaker split;
  split.node("Split", {split.input("x", {4, 3})}, Names{"a", "b"});
  split.output("b");
  EXPECT_TRUE(contains(refused(split), "it takes some of the samples"));

  ModelMaker reduce;
  reduce.node("ReduceMean", {reduce.input("x", {0, 3})}, "y");
  reduce.output("y");
  EXPECT_TRUE(contains(refused(reduce), "along the extent that counts the samples"));
}

TEST(OnnxWrong, NumbersThatMakeNoSense) {
  const auto conv = [](const char* attribute, const Shape& numbers) {
    ModelMaker maker;
    maker.node("Conv", {maker.input("x", {0, 1, 8}), maker.weight("w", {1, 1, 3})}, "y");
    maker.with(attribute, numbers).output("y");
    return refused(maker);
  };
  EXPECT_TRUE(contains(conv("strides", {0}), "strides"));
  EXPECT_TRUE(contains(conv("dilations", {std::int64_t{1} << 60}), "dilations"));
  EXPECT_TRUE(contains(conv("pads", {-1, 0}), "pads"));
  EXPECT_TRUE(contains(conv("pads", {1}), "pads"));
  EXPECT_TRUE(contains(conv("kernel_shape", {5}), "kernel_shape"));

  ModelMaker samples;
  samples.node("Relu", {samples.input("x", {std::int64_t{1} << 60, 3})}, "y");
  samples.output("y");
  EXPECT_TRUE(contains(refused(samples), "too many samples"));

  ModelMaker groups;
  groups.node("Conv", {groups.input("x", {0, 1, 8}), groups.weight("w", {1, 1, 3})}, "y");
  groups.with("group", INT64_MIN).output("y");
  EXPECT_TRUE(contains(refused(groups), "groups"));
}

TEST(OnnxWrong, AConstantKeepsAsManyNumbers) {
  ModelMaker maker;
  maker.integers("none", {});
  maker.node("Squeeze", {"none", maker.integers("axes", {0})}, "scalar");
  maker.node("Cast", {"scalar"}, "number");
  maker.with("to", 1);
  maker.node("Add", {maker.input("x", {0, 3}), "number"}, "y");
  maker.output("y");
  EXPECT_TRUE(contains(refused(maker), "node 'scalar' (Squeeze): [0] cannot become []"));
}

TEST(OnnxWrong, ManyNodesTakeLittleTime) {
  ModelMaker maker;
  std::string at = maker.input("x", {0, 3});
  maker.weight("w", {3, 3});
  for (int i = 0; i < 30'000; ++i) {
    at = maker.node(i % 3 == 0 ? "MatMul" : "Relu", i % 3 == 0 ? Names{at, "w"} : Names{at}, "n" + std::to_string(i));
  }
  maker.output(at);
  EXPECT_EQ(maker.read().network().layers().size(), 20'001U);
}

// Branches that are joined again and again would be exponentially many as a tree.
TEST(OnnxWrong, FunctionsThatDoubleWithEveryNode) {
  ModelMaker maker;
  std::string at = maker.input("x", {0, 3});
  for (int i = 0; i < 2000; ++i) at = maker.node("Mul", {at, at}, "n" + std::to_string(i));
  maker.output(at);
  EXPECT_LT(maker.read().network().layers().size(), 1000U);
}

TEST(OnnxWrong, NamesOfLayers) {
  ModelMaker maker;
  maker.node("Relu", {maker.input("x:0", {0, 3})}, "a b");
  maker.last->set_name("");
  maker.node("MatMul", {"a b", maker.weight("w", {3, 3})}, "c");
  maker.last->set_name("a_b");
  maker.node("MatMul", {"c", "w"}, "d");
  maker.last->set_name(std::string(500, '%'));
  maker.output("d");
  const Network network = maker.read().network();
  EXPECT_EQ(network.layer(0).name, "x_0");
  EXPECT_EQ(network.layer(1).name, "a_b");
  EXPECT_EQ(network.layer(2).name, "a_b_2");
  EXPECT_LE(network.layer(3).name.size(), 200U);
}

}  // namespace
}  // namespace actforge
