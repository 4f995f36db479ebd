// The attributes of an ONNX node, each of the type that its operator has for it.
#include <charconv>

#include "actforge/onnx/graph.h"

namespace actforge {
namespace {

using onnx::AttributeProto;

struct Field {
  AttributeProto::AttributeType type;
  bool (*is_set)(const AttributeProto&);
};

constexpr Field kFields[] = {
    {AttributeProto::FLOAT, [](const AttributeProto& a) { return a.has_f(); }},
    {AttributeProto::INT, [](const AttributeProto& a) { return a.has_i(); }},
    {AttributeProto::STRING, [](const AttributeProto& a) { return a.has_s(); }},
    {AttributeProto::TENSOR, [](const AttributeProto& a) { return a.has_t(); }},
    {AttributeProto::GRAPH, [](const AttributeProto& a) { return a.has_g(); }},
    {AttributeProto::SPARSE_TENSOR, [](const AttributeProto& a) { return a.has_sparse_tensor(); }},
    {AttributeProto::FLOATS, [](const AttributeProto& a) { return a.floats_size() > 0; }},
    {AttributeProto::INTS, [](const AttributeProto& a) { return a.ints_size() > 0; }},
    {AttributeProto::STRINGS, [](const AttributeProto& a) { return a.strings_size() > 0; }},
    {AttributeProto::TENSORS, [](const AttributeProto& a) { return a.tensors_size() > 0; }},
    {AttributeProto::GRAPHS, [](const AttributeProto& a) { return a.graphs_size() > 0; }},
};

// The type that the attribute says, or that of the value that it has: the first files had no types. A zero or an empty
// list may have a type and no value, as some writers leave out what is zero.
AttributeProto::AttributeType type_of(const AttributeProto& attribute) {
  AttributeProto::AttributeType found = attribute.type();
  for (const Field& field : kFields) {
    if (!field.is_set(attribute)) continue;
    if (field.type == attribute.type()) return field.type;
    found = field.type;
  }
  return found;
}

}  // namespace

bool OnnxNode::has(std::string_view name) const { return find_attribute(name) != nullptr; }

const AttributeProto* OnnxNode::find_attribute(std::string_view name) const {
  for (const AttributeProto& attribute : proto->attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

const AttributeProto* OnnxNode::attribute(std::string_view name, AttributeProto::AttributeType type) const {
  const AttributeProto* found = find_attribute(name);
  if (found == nullptr || type_of(*found) == type) return found;
  throw OnnxAttributeError(title() + ": its attribute '" + std::string(name) + "' should be of type " +
                           AttributeProto::AttributeType_Name(type) + ", and is of type " +
                           AttributeProto::AttributeType_Name(type_of(*found)));
}

std::int64_t OnnxNode::integer(std::string_view name, std::int64_t otherwise) const {
  const AttributeProto* found = attribute(name, AttributeProto::INT);
  return found == nullptr ? otherwise : found->i();
}

double OnnxNode::number(std::string_view name, double otherwise) const {
  const AttributeProto* found = attribute(name, AttributeProto::FLOAT);
  if (found == nullptr) return otherwise;
  // Attributes are float32: 1e-5 shall not become 9.999999747e-06.
  char text[32];
  const char* end = std::to_chars(text, text + sizeof text, found->f()).ptr;
  double value = 0;
  std::from_chars(text, end, value);
  return value;
}

std::string OnnxNode::word(std::string_view name, const std::string& otherwise) const {
  const AttributeProto* found = attribute(name, AttributeProto::STRING);
  return found == nullptr ? otherwise : found->s();
}

std::optional<std::vector<std::int64_t>> OnnxNode::integers(std::string_view name) const {
  const AttributeProto* found = attribute(name, AttributeProto::INTS);
  if (found == nullptr) return std::nullopt;
  return std::vector<std::int64_t>(found->ints().begin(), found->ints().end());
}

std::optional<std::vector<double>> OnnxNode::numbers(std::string_view name) const {
  const AttributeProto* found = attribute(name, AttributeProto::FLOATS);
  if (found == nullptr) return std::nullopt;
  return std::vector<double>(found->floats().begin(), found->floats().end());
}

std::optional<std::vector<std::string>> OnnxNode::words(std::string_view name) const {
  const AttributeProto* found = attribute(name, AttributeProto::STRINGS);
  if (found == nullptr) return std::nullopt;
  return std::vector<std::string>(found->strings().begin(), found->strings().end());
}

const onnx::TensorProto* OnnxNode::tensor(std::string_view name) const {
  const AttributeProto* found = attribute(name, AttributeProto::TENSOR);
  return found == nullptr ? nullptr : &found->t();
}

}  // namespace actforge
