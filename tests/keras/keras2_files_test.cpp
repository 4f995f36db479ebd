// Files that Keras 2 wrote (make_keras2_files.py), models within models, against what Keras said of them.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "actforge/base/read_file.h"
#include "tests/keras/helpers.h"

namespace actforge {
namespace {

using Json = nlohmann::json;

std::string stored(const std::string& name) {
  const std::optional<std::string> text = read_file(ACTFORGE_TESTS "/keras/keras2/" + name);
  if (!text) throw std::runtime_error("cannot read " + name);
  return *text;
}

// Keras has the channels of an image last, the network first.
Shape network_shape(const Json& keras_shape) {
  auto shape = keras_shape.get<Shape>();
  if (shape.size() == 3) std::rotate(shape.begin(), shape.end() - 1, shape.end());
  return shape;
}

// The layers of the network by the call of Keras that they come from: the last one of each gives what the call gives.
std::map<std::string, Shape> shapes_by_call(const Network& network, const Json& calls) {
  std::map<std::string, Shape> shapes;
  for (const Layer& layer : network.layers()) {
    if (layer.kind->name == "input" || layer.kind->name == "permute") continue;
    const std::string owner = layer.name.substr(0, layer.name.rfind('/'));
    shapes[calls.contains(layer.name) ? layer.name : owner] = layer.output.shape;
  }
  return shapes;
}

void expect_facts(const KerasFile& file, const Json& facts) {
  const Network& network = file.network();
  EXPECT_EQ(network.parameter_count(), facts["trainable"].get<std::int64_t>());
  std::map<std::string, Shape> calls;
  for (const auto& [name, shape] : facts["calls"].items()) calls[name] = network_shape(shape);
  EXPECT_EQ(shapes_by_call(network, facts["calls"]), calls);
  ASSERT_EQ(network.outputs().size(), facts["outputs"].size());
  for (std::size_t i = 0; i < facts["outputs"].size(); ++i) {
    EXPECT_EQ(network.layer(network.outputs()[i]).output.shape, network_shape(facts["outputs"][i]));
  }
  EXPECT_TRUE(file.notes().empty());
}

class Keras2FileTest : public testing::TestWithParam<const char*> {};

TEST_P(Keras2FileTest, IsReadAsKerasMeantIt) {
  const std::string name = GetParam();
  expect_facts(KerasFile::parse(stored(name + ".json")), Json::parse(stored(name + ".facts.json")));
}

// An archive's config.json is the same without the version, and with a module at the top.
TEST_P(Keras2FileTest, IsReadOutOfAnArchive) {
  const std::string name = GetParam();
  Json json = Json::parse(stored(name + ".json"));
  json.erase("keras_version");
  json["module"] = "keras";
  json["registered_name"] = nullptr;
  expect_facts(KerasFile::parse(json.dump()), Json::parse(stored(name + ".facts.json")));
}

TEST_P(Keras2FileTest, KeepsItsCallsWhenWrittenBack) {
  const KerasFile file = KerasFile::parse(stored(std::string(GetParam()) + ".json"));
  std::vector<KerasInitialiser> initialisers;
  for (LayerId id = 0; id < file.network().layers().size(); ++id) {
    const Layer& layer = file.network().layer(id);
    if (!layer.weights.empty() && layer.weights[0].role == WeightRole::kKernel)
      initialisers.push_back({id, 0, "normal", 0.5, 7});
  }
  ASSERT_FALSE(initialisers.empty());
  const std::string text = file.with_initialisers(initialisers);
  EXPECT_NE(text.find(R"("class_name":"RandomNormal","config":{"mean":0.0,"stddev":0.5,"seed":)"), std::string::npos);
  EXPECT_EQ(network_text(KerasFile::parse(text).network()), network_text(file.network()));
}

INSTANTIATE_TEST_SUITE_P(Nested, Keras2FileTest,
                         testing::Values("deep", "shared", "ends", "mixed", "within_shared", "tokens"),
                         [](const auto& model) { return std::string(model.param); });

TEST(Keras2FilesTest, CallsAreConnectedAsInTheModel) {
  const KerasFile file = KerasFile::parse(stored("ends.json"));
  EXPECT_EQ(network_text(file.network()),
            "network ends\na = input(shape=4)\nb = input(shape=7)\npair/d = dense(a, units=7)\n"
            "pair/d/activation = activation(pair/d, function=relu(x))\npair/e = dense(b, units=4)\n"
            "pair/s = add(pair/d/activation, b)\npair/call_2/d = dense(pair/e, units=7, shares=pair/d)\n"
            "pair/call_2/d/activation = activation(pair/call_2/d, function=relu(x))\n"
            "pair/call_2/e = dense(pair/s, units=4, shares=pair/e)\n"
            "pair/call_2/s = add(pair/call_2/d/activation, pair/s)\n"
            "return pair/call_2/s, pair/call_2/e, pair/s\n");
}

}  // namespace
}  // namespace actforge
