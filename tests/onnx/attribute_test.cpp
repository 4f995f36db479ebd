// Attributes of ONNX nodes: each accessor takes its own type, and names what else it finds.
#include <functional>

#include "actforge/onnx/graph.h"
#include "tests/onnx/helpers.h"

namespace actforge {
namespace {

using onnx::AttributeProto;
using Type = AttributeProto::AttributeType;

// A node with an attribute of every type, called like the type; a second set says no types, as the first files did.
onnx::NodeProto node_of_all_types(bool typed) {
  onnx::NodeProto node;
  node.set_name("n");
  node.set_op_type("Op");
  const auto add = [&](Type type) -> AttributeProto& {
    AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(AttributeProto::AttributeType_Name(type));
    if (typed) attribute.set_type(type);
    return attribute;
  };
  add(AttributeProto::FLOAT).set_f(0.1F);
  add(AttributeProto::INT).set_i(7);
  add(AttributeProto::STRING).set_s("s");
  add(AttributeProto::TENSOR).mutable_t()->set_name("t");
  add(AttributeProto::GRAPH).mutable_g()->set_name("g");
  add(AttributeProto::SPARSE_TENSOR).mutable_sparse_tensor()->add_dims(3);
  add(AttributeProto::FLOATS).add_floats(0.5F);
  add(AttributeProto::INTS).add_ints(9);
  add(AttributeProto::STRINGS).add_strings("t");
  add(AttributeProto::TENSORS).add_tensors();
  add(AttributeProto::GRAPHS).add_graphs();
  return node;
}

struct Accessor {
  const char* type;
  std::function<void(const OnnxNode&, const std::string&)> read;
};

const std::vector<Accessor> kAccessors = {
    {"FLOAT", [](const OnnxNode& node, const std::string& name) { node.number(name, 0); }},
    {"INT", [](const OnnxNode& node, const std::string& name) { node.integer(name, 0); }},
    {"STRING", [](const OnnxNode& node, const std::string& name) { node.word(name, ""); }},
    {"TENSOR", [](const OnnxNode& node, const std::string& name) { node.tensor(name); }},
    {"FLOATS", [](const OnnxNode& node, const std::string& name) { node.numbers(name); }},
    {"INTS", [](const OnnxNode& node, const std::string& name) { node.integers(name); }},
    {"STRINGS", [](const OnnxNode& node, const std::string& name) { node.words(name); }},
};

TEST(OnnxAttribute, EveryAccessorRefusesEveryOtherType) {
  for (const bool typed : {true, false}) {
    const onnx::NodeProto proto = node_of_all_types(typed);
    const OnnxNode node = {.proto = &proto};
    for (const Accessor& accessor : kAccessors) {
      for (const AttributeProto& attribute : proto.attribute()) {
        const std::string& type = attribute.name();
        if (type == accessor.type) {
          EXPECT_NO_THROW(accessor.read(node, type));
          continue;
        }
        EXPECT_EQ(refusal([&] { accessor.read(node, type); }), "node 'n' (Op): its attribute '" + type +
                                                                   "' should be of type " + accessor.type +
                                                                   ", and is of type " + type);
      }
    }
  }
}

TEST(OnnxAttribute, ValuesComeBack) {
  for (const bool typed : {true, false}) {
    const onnx::NodeProto proto = node_of_all_types(typed);
    const OnnxNode node = {.proto = &proto};
    EXPECT_EQ(node.number("FLOAT", 0), 0.1);
    EXPECT_EQ(node.integer("INT", 0), 7);
    EXPECT_EQ(node.word("STRING", ""), "s");
    EXPECT_EQ(node.tensor("TENSOR")->name(), "t");
    EXPECT_EQ(node.numbers("FLOATS"), std::vector<double>{0.5});
    EXPECT_EQ(node.integers("INTS"), std::vector<std::int64_t>{9});
    EXPECT_EQ(node.words("STRINGS"), std::vector<std::string>{"t"});
  }
}

TEST(OnnxAttribute, WhatIsMissingIsNoError) {
  const onnx::NodeProto proto;
  const OnnxNode node = {.proto = &proto};
  EXPECT_FALSE(node.has("a"));
  EXPECT_EQ(node.number("a", 2.5), 2.5);
  EXPECT_EQ(node.integer("a", 3), 3);
  EXPECT_EQ(node.word("a", "w"), "w");
  EXPECT_EQ(node.tensor("a"), nullptr);
  EXPECT_FALSE(node.numbers("a") || node.integers("a") || node.words("a"));
}

// Writers that leave out zeros and empty lists still say the type.
TEST(OnnxAttribute, ATypeWithoutValueIsZeroOrEmpty) {
  onnx::NodeProto proto;
  for (const auto& [name, type] : {std::pair{"i", AttributeProto::INT}, {"l", AttributeProto::INTS}}) {
    AttributeProto& attribute = *proto.add_attribute();
    attribute.set_name(name);
    attribute.set_type(type);
  }
  const OnnxNode node = {.proto = &proto};
  EXPECT_EQ(node.integer("i", 5), 0);
  EXPECT_EQ(node.integers("l"), std::vector<std::int64_t>());
}

TEST(OnnxAttribute, AValueOfAnotherTypeThanItSaysIsRefused) {
  onnx::NodeProto proto;
  proto.set_name("n");
  proto.set_op_type("Op");
  AttributeProto& attribute = *proto.add_attribute();
  attribute.set_name("axis");
  attribute.set_type(AttributeProto::INT);
  attribute.set_f(1);
  const OnnxNode node = {.proto = &proto};
  EXPECT_EQ(refusal([&] { node.integer("axis", 0); }),
            "node 'n' (Op): its attribute 'axis' should be of type INT, and is of type FLOAT");
}

// Whatever reads the node, and even where the file says the extents of what the node makes.
TEST(OnnxAttribute, AFileWithAWrongTypeIsRefused) {
  const auto said = [](ModelMaker& maker) {
    maker.graph().add_value_info();
    ModelMaker::declare(*maker.graph().mutable_value_info(0), "y", {0, 3, 4, 4});
    maker.output("y");
    return refusal([&] { maker.read(); });
  };
  ModelMaker conv;
  conv.node("Conv", {conv.input("x", {0, 3, 4, 4}), conv.weight("w", {3, 3, 1, 1})}, "y");
  conv.with("group", 1.0);
  EXPECT_TRUE(
      contains(said(conv), "model.onnx': node 'y' (Conv): its attribute 'group' should be of type INT, and is"));

  ModelMaker leaky;
  leaky.node("LeakyRelu", {leaky.input("x", {0, 3, 4, 4})}, "y");
  leaky.with("alpha", 1);
  EXPECT_TRUE(
      contains(said(leaky), "model.onnx': node 'y' (LeakyRelu): its attribute 'alpha' should be of type FLOAT"));

  ModelMaker constant;
  constant.node("Constant", {}, "c");
  constant.with("value_float", 2);
  constant.node("Mul", {constant.input("x", {0, 3, 4, 4}), "c"}, "y");
  EXPECT_TRUE(contains(said(constant), "node 'c' (Constant): its attribute 'value_float' should be of type FLOAT"));
}

}  // namespace
}  // namespace actforge
