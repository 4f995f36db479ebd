// Keras files written back with other initialisers and with shifts.
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/keras/helpers.h"

namespace actforge {
namespace {

using Json = nlohmann::ordered_json;

LayerId find_layer(const KerasFile& file, std::string_view name) {
  for (LayerId id = 0; id < file.network().layers().size(); ++id) {
    if (file.network().layer(id).name == name) return id;
  }
  ADD_FAILURE() << "no layer " << name;
  return 0;
}

Json written(const KerasFile& file, const std::vector<KerasInitialiser>& initialisers,
             const std::map<LayerId, double>& shifts = {}) {
  const std::string text = file.with_initialisers(initialisers, shifts);
  KerasFile::parse(text);  // it is still a model
  return Json::parse(text);
}

KerasFile dense_file(bool keras3) {
  return KerasFile::parse(
      one_layer("[null,9]", "Dense",
                R"("units":4,"activation":"relu","kernel_initializer":"x","bias_initializer":"ones")", keras3));
}

TEST(KerasWriteTest, NothingToSetChangesNothing) {
  for (const bool keras3 : {true, false}) {
    const std::string text =
        one_layer("[null,9]", "Dense", R"("units":4,"zebra":1.5,"aardvark":[null,true,"é"])", keras3);
    EXPECT_EQ(KerasFile::parse(text).with_initialisers({}), Json::parse(text).dump());
  }
}

TEST(KerasWriteTest, Distributions) {
  struct Case {
    const char *distribution, *class_name, *key;
    double value;
  };
  for (const Case& one :
       {Case{"truncated-normal", "TruncatedNormal", "stddev", 0.5 / 0.87962566103423978},
        Case{"normal", "RandomNormal", "stddev", 0.5}, Case{"uniform", "RandomUniform", "maxval", 0.5 * std::sqrt(3.0)},
        Case{"orthogonal", "Orthogonal", "gain", 0.5 * 3}}) {
    for (const bool keras3 : {true, false}) {
      const KerasFile file = dense_file(keras3);
      const Json json = written(file, {{find_layer(file, "it"), 0, one.distribution, 0.5, 7}});
      const Json& config = json["config"]["layers"][1]["config"];
      const Json& entry = config["kernel_initializer"];
      EXPECT_EQ(entry["class_name"], one.class_name);
      EXPECT_NEAR(entry["config"][one.key].get<double>(), one.value, 1e-12);
      EXPECT_LT(entry["config"]["seed"].get<std::uint64_t>(), std::uint64_t{1} << 31);
      EXPECT_EQ(entry.contains("module"), keras3);
      EXPECT_EQ(entry.contains("registered_name"), keras3);
      EXPECT_EQ(config["bias_initializer"]["class_name"], "Zeros");
      EXPECT_EQ(config["activation"], "relu");
    }
  }
}

TEST(KerasWriteTest, EachKindOfKernelHasItsKey) {
  const KerasFile file =
      KerasFile::parse(sequential("[null,12]",
                                  R"({"class_name":"Embedding","config":{"name":"e","input_dim":9,"output_dim":4}},
                    {"class_name":"SeparableConv1D","config":{"name":"s","filters":4,"kernel_size":3}},
                    {"class_name":"DepthwiseConv1D","config":{"name":"d","kernel_size":3}},
                    {"class_name":"Bidirectional","config":{"name":"b","merge_mode":"concat",
                       "layer":{"class_name":"LSTM","config":{"name":"f","units":2}},
                       "backward_layer":{"class_name":"LSTM","config":{"name":"g","units":2}}}})",
                                  true));
  const Json json = written(file, {{find_layer(file, "e"), 0, "normal", 1, 1},
                                   {find_layer(file, "s/depthwise"), 0, "normal", 2, 1},
                                   {find_layer(file, "s"), 0, "normal", 3, 1},
                                   {find_layer(file, "d"), 0, "normal", 4, 1},
                                   {find_layer(file, "b/forward"), 0, "normal", 5, 1},
                                   {find_layer(file, "b/backward"), 1, "normal", 6, 1}});
  const Json& layers = json["config"]["layers"];
  const auto deviation = [](const Json& entry) { return entry["config"]["stddev"].get<double>(); };
  EXPECT_EQ(deviation(layers[1]["config"]["embeddings_initializer"]), 1);
  EXPECT_EQ(deviation(layers[2]["config"]["depthwise_initializer"]), 2);
  EXPECT_EQ(deviation(layers[2]["config"]["pointwise_initializer"]), 3);
  EXPECT_EQ(deviation(layers[3]["config"]["depthwise_initializer"]), 4);
  EXPECT_EQ(deviation(layers[4]["config"]["layer"]["config"]["kernel_initializer"]), 5);
  EXPECT_EQ(deviation(layers[4]["config"]["backward_layer"]["config"]["recurrent_initializer"]), 6);
  EXPECT_NE(layers[1]["config"]["embeddings_initializer"]["config"]["seed"],
            layers[3]["config"]["depthwise_initializer"]["config"]["seed"]);
}

TEST(KerasWriteTest, WhatCannotBeSetIsRefused) {
  const KerasFile file = dense_file(true);
  const auto said = [&](KerasInitialiser given, std::map<LayerId, double> shifts = {}) {
    return refusal([&] { file.with_initialisers(std::span(&given, 1), shifts); });
  };
  EXPECT_TRUE(contains(said({99, 0, "normal", 1, 1}), "no layer of number 99"));
  EXPECT_TRUE(contains(said({1, 9, "normal", 1, 1}), "'it' has no weight"));
  EXPECT_TRUE(contains(said({1, 0, "gamma", 1, 1}), "gamma"));
  EXPECT_TRUE(contains(said({1, 0, "normal", NAN, 1}), "'it'"));
  EXPECT_TRUE(contains(said({1, 0, "normal", 1, 1}, {{1, 0.5}}), "'it'"));  // before the activation
  EXPECT_TRUE(contains(said({1, 0, "normal", 1, 1}, {{2, INFINITY}}), "finite"));
}

TEST(KerasWriteTest, ShiftsInASequence) {
  for (const bool keras3 : {true, false}) {
    const KerasFile file = dense_file(keras3);
    const Json json = written(file, {}, {{find_layer(file, "it/activation"), -0.25}});
    const Json& layers = json["config"]["layers"];
    ASSERT_EQ(layers.size(), 3u);
    EXPECT_EQ(layers[2]["class_name"], "Rescaling");
    EXPECT_EQ(layers[2]["config"]["offset"], -0.25);
    EXPECT_EQ(layers[2]["config"]["scale"], 1.0);
  }
}

TEST(KerasWriteTest, ShiftsInAGraphAreOnTheWayToAllThatUsedTheLayer) {
  for (const bool k3 : {true, false}) {
    const std::string json =
        functional(input("x", "[null,4]") + "," +
                       layer("ReLU", "r", "", call(tensor("x", 0, 0, k3), k3) + "," + call(tensor("r", 0, 0, k3), k3)) +
                       "," + layer("Add", "s", "", call(tensor("r", 0, 0, k3) + "," + tensor("r", 1, 0, k3), k3)),
                   R"([["x",0,0]])", R"([["s",0,0],["r",1,0]])", k3);
    const KerasFile file = KerasFile::parse(json);
    const KerasFile both =
        KerasFile::parse(file.with_initialisers({}, {{find_layer(file, "r"), 1}, {find_layer(file, "r/call_2"), 2}}));
    EXPECT_EQ(network_text(both.network()),
              "network model\nx = input(shape=4)\nr = activation(x, function=relu(x))\n"
              "r_shift = activation(r, function=add(mul(1,x),1))\nr/call_2 = activation(r_shift, function=relu(x))\n"
              "r_shift_2 = activation(r/call_2, function=add(mul(1,x),2))\ns = add(r_shift, r_shift_2)\n"
              "return s, r_shift_2\n");
  }
}

}  // namespace
}  // namespace actforge
