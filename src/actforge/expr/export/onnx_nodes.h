#pragma once

#include <onnx/onnx_pb.h>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace actforge {

// Appends nodes to a graph or a function, each with one output of a name of its own; equal nodes only once.
class OnnxNodes {
 public:
  using List = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
  using Attributes = std::vector<std::pair<std::string, float>>;

  explicit OnnxNodes(List* list) : list_(list) {}

  // All of these return the name of the output.
  std::string add(std::string_view type, const std::vector<std::string>& inputs, const Attributes& attributes = {});
  std::string constant(double value);
  // A spelling of the operator table, such as `Mul({a},Sigmoid({a}))`, for arguments of the given names.
  std::string nest(std::string_view pattern, const std::string& a, const std::string& b);

  // The value of that name, which no node uses as an input, becomes the one called `output`.
  void finish(const std::string& value, const std::string& output);

 private:
  // What ONNX has no operator for, by name in a spelling: bessel_i0e, bessel_i1e, erfc.
  std::string function(std::string_view name, const std::string& a);
  std::string polynomial(std::span<const float> coefficients, const std::string& a);
  std::string ratio(std::span<const float> numerator, std::span<const float> denominator, const std::string& a);
  std::string erfc(const std::string& a);
  std::string bessel(int order, const std::string& a);

  friend class SpellingReader;
  List* list_;
  std::map<std::string, std::string> made_;
};

}  // namespace actforge
