#include "actforge/net/graph/network_json.h"

#include "tests/net/net_helpers.h"

namespace actforge {
namespace {

// A network of an input `x` and one more layer, the text of whose members is given.
std::string with_layer(const std::string& members) {
  return R"({"name": "a", "layers": [{"name": "x", "kind": "input", "attributes": {"shape": [3, 8, 8]}}, {)" + members +
         R"(}], "outputs": ["y"]})";
}

std::string with_attributes(const std::string& kind, const std::string& attributes) {
  return with_layer(R"("name": "y", "inputs": ["x"], "kind": ")" + kind + R"(", "attributes": {)" + attributes + "}");
}

TEST(NetworkJson, IsAsDocumented) {
  const Network network =
      network_of("image = input(shape=1x8x8); it = conv(image, filters=16, kernel=3, padding=same)");
  const std::string json = network_json(network);
  for (const char* part :
       {R"({"name":"test","layers":[)", R"("kind":"conv","inputs":["image"],"attributes":{"filters":16,)",
        R"("padding":"same")", R"("bias":true)", R"("output_shape":[16,8,8])", R"("weights":160)",
        R"("parameters":160)", R"(],"outputs":["it"],)"}) {
    EXPECT_TRUE(contains(json, part)) << part << "\n" << json;
  }
}

TEST(NetworkJson, TakesValuesInAnyFittingForm) {
  for (const char* kernel : {"3", "[3]", "[3, 3]", "\"3\"", "\"3x3\""}) {
    const Network network =
        parse_network_json(with_attributes("conv", std::string(R"("filters": 4, "padding": 1, "kernel": )") + kernel));
    EXPECT_EQ(network.layer(1).output.shape, (Shape{4, 8, 8})) << kernel;
  }
  parse_network_json(with_attributes("dropout", R"("rate": 0)"));
  parse_network_json(with_attributes("dropout", R"("rate": "0.25")"));
  parse_network_json(with_attributes("conv", R"("filters": "4", "kernel": 3, "bias": "false")"));
}

TEST(NetworkJson, RefusesWithTheLayer) {
  const struct {
    std::string text;
    const char* says;
  } kWrong[] = {
      {with_layer(R"("kind": "flatten", "inputs": ["x"])"), "layer 2: 'name' is missing"},
      {with_layer(R"("name": "", "kind": "flatten", "inputs": ["x"])"), "layer 2 '': 'name' is empty"},
      {with_layer(R"("name": 3, "kind": "flatten", "inputs": ["x"])"), "layer 2: 'name' is of the wrong type: number"},
      {with_layer(R"("name": "y", "inputs": ["x"])"), "layer 2 'y': 'kind' is missing"},
      {with_layer(R"("name": "y", "kind": "flaten", "inputs": ["x"])"), "layer 2 'y': unknown kind of layer 'flaten'"},
      {with_layer(R"("name": "y", "kind": "flatten")"), "layer 'y' (flatten): it takes 1 input, not 0"},
      {with_layer(R"("name": "y", "kind": "flatten", "inputs": "x")"), "'inputs' is of the wrong type"},
      {with_layer(R"("name": "y", "kind": "flatten", "inputs": [0])"), "expected a name, not number"},
      {with_layer(R"("name": "y", "kind": "flatten", "inputs": ["y"])"), "no layer 'y' before this one"},
      {with_layer(R"("name": "x", "kind": "flatten", "inputs": ["x"])"), "two layers named 'x'"},
      {with_layer(R"("name": "y", "kind": "flatten", "input": ["x"])"), "unknown key 'input'; did you mean 'inputs'?"},
      {with_layer(R"("name": "y", "kind": "flatten", "inputs": ["x"], "output_shape": [193])"),
       "layer 2 'y': the file says that its output is 193, but it is 192"},
      {with_layer(R"("name": "y", "kind": "flatten", "inputs": ["x"], "output_shape": 192)"), "list of at most eight"},
      {with_layer(R"("name": "y", "kind": "flatten", "inputs": ["x"], "output_shape": [1.5])"),
       "whole number, not 1.5"},
      {with_layer(R"("name": "y", "kind": "flatten", "inputs": ["x"], "attributes": [])"),
       "'attributes' is of the wrong"},
      {with_layer(R"("name": "y", "kind": "flatten", "inputs": ["x"], "kind": "flatten")"),
       "'kind' appears twice in the same object"},
      {with_attributes("flatten", R"("axis": 1)"), "layer 2 'y': flatten has no setting 'axis'"},
      {with_attributes("dropout", R"("rate": 0.5, "rate": 0.6)"), "'rate' appears twice in the same object"},
      {with_attributes("dropout", R"("rate": null)"), "setting 'rate' is of the wrong type: null"},
      {with_attributes("dropout", R"("rate": {})"), "setting 'rate' is of the wrong type: object"},
      {with_attributes("dropout", R"("rate": true)"), "rate takes a number, not 'true'"},
      {with_attributes("dropout", R"("rate": 2)"), "rate must be from 0 to 0.99, not 2"},
      {with_attributes("dropout", R"("rate": 1e999)"), "not valid JSON"},
      {with_attributes("dropout", R"("rate": "much")"), "rate takes a number, not 'much'"},
      {with_attributes("conv", R"("filters": 18446744073709551615, "kernel": 3)"), "whole number"},
      {with_attributes("conv", R"("filters": 1e3, "kernel": 3)"), "filters takes a whole number"},
      {with_attributes("conv", R"("filters": 1, "kernel": [])"), "one to eight"},
      {with_attributes("conv", R"("filters": 1, "kernel": [[3]])"), "whole number"},
      {with_attributes("conv", R"("filters": 1, "kernel": [1,1,1,1,1,1,1,1,1])"), "at most eight"},
      {with_attributes("activation", R"("function": 3)"), "a function of x, not '3'"},
      {with_attributes("activation", R"("function": "relu(")"), "function"},
      {with_attributes("conv", R"("filters": 1, "kernel": 3, "padding": "a, b")"), "padding takes"},
  };
  for (const auto& row : kWrong) {
    const std::string said = refusal([&] { parse_network_json(row.text); });
    EXPECT_TRUE(contains(said, row.says)) << row.text << "\n" << said;
  }
}

TEST(NetworkJson, RefusesWhatIsNoNetwork) {
  const struct {
    const char* text;
    const char* says;
  } kWrong[] = {
      {"", "not valid JSON"},
      {"{", "not valid JSON"},
      {"{\n\"name\": }", "line 2"},
      {"[]", "expected an object"},
      {"3", "expected an object"},
      {"{}", "'name' is missing"},
      {R"({"name": "a"})", "'layers' is missing"},
      {R"({"name": "a b", "layers": [], "outputs": []})", "letters, digits"},
      {R"({"name": "a", "layers": {}, "outputs": []})", "'layers' is of the wrong type: object"},
      {R"({"name": "a", "layers": []})", "'outputs' is missing"},
      {R"({"name": "a", "layers": [], "outputs": []})", "no output"},
      {R"({"name": "a", "layers": [3], "outputs": []})", "layer 1: expected an object"},
      {R"({"name": "a", "layers": [], "outputs": [], "layer": []})", "did you mean 'layers'?"},
      {R"({"name": "a", "layers": [{"name": "x", "kind": "input", "attributes": {"shape": 3}}], "outputs": ["y"]})",
       "no layer 'y'"},
      {R"({"name": "a", "layers": [{"name": "x", "kind": "input", "attributes": {"shape": 3}}], "outputs": [0]})",
       "expected a name"},
      {"{\"name\": \"\xff\"}", "not valid JSON"},
  };
  for (const auto& row : kWrong) {
    const std::string said = refusal([&] { parse_network_json(row.text); });
    EXPECT_TRUE(contains(said, row.says)) << row.text << "\n" << said;
  }
}

// Reading takes time in proportion to the length.
TEST(NetworkJson, TakesAsManyLayersAsANetworkMayHave) {
  NetworkBuilder builder("long");
  LayerId last = builder.add("input", {}, {{"shape", Shape{4}}});
  for (std::size_t i = 1; i < kMaxLayers; ++i) last = builder.add("flatten", {last});
  const std::string json = network_json(builder.finish({last}));
  EXPECT_EQ(parse_network_json(json).layers().size(), kMaxLayers);
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// None of them may fill the memory or take more than a moment.
TEST(NetworkJson, HostileFilesAreRefusedAtOnce) {
  std::string keys = "{";
  for (int i = 0; i < 500'000; ++i) keys += "\"k" + std::to_string(i) + "\": 0,";
  const std::string head = R"({"name": "a", "layers": [)";
  for (const auto& [text, says] : std::vector<std::pair<std::string, std::string>>{
           {repeated("[", 1'000'000), "deeply nested"},
           {repeated("{\"a\":", 1'000'000), "deeply nested"},
           {head + repeated("[[", 1000), "deeply nested"},
           {keys, "more than 100 keys"},
           {head + repeated("{},", 1'000'000) + "{}]}", "layer 1: 'name' is missing"},
           {"[" + repeated("0,", 5'000'000) + "0]", "too large"}}) {
    const std::string said = refusal([&text = text] { parse_network_json(text); });
    EXPECT_TRUE(contains(said, says)) << text.substr(0, 40) << "\n" << said.substr(0, 200);
  }
}

}  // namespace
}  // namespace actforge
