// An ONNX model y = f(x) in float32, the parameters as initializers. The function is a local one of
// the domain "actforge", for tools that want to see it whole, or plain nodes, for those that know no local functions.
#include <onnx/onnx_pb.h>

#include "actforge/base/error.h"
#include "actforge/expr/export/export.h"
#include "actforge/expr/export/header.h"
#include "actforge/expr/export/onnx_nodes.h"
#include "actforge/expr/export/steps.h"

namespace actforge {
namespace {

// IR version 8 is the first with local functions; ONNX 1.11 and later know both numbers.
constexpr int kIrVersion = 8;
constexpr int kOpset = 15;
constexpr const char* kDomain = "actforge";

void add_nodes(const StepProgram& program, OnnxNodes::List* list) {
  OnnxNodes nodes(list);
  std::vector<std::string> made;
  const auto name = [&](const Operand& operand) {
    if (operand.is_constant()) return nodes.constant(operand.constant);
    if (operand.kind == Operand::Kind::kStep) return made[operand.index];
    return operand_text(program, operand, nullptr);
  };
  for (const ExportStep& step : program.steps) {
    const std::string a = name(step.a), b = step.b ? name(*step.b) : "";
    made.push_back(nodes.nest(op_info(step.op).spelling.onnx, a, b));
  }
  std::string value = name(program.result);
  if (!program.uses_input) value = nodes.add("Expand", {value, nodes.add("Shape", {"x"})});
  nodes.finish(value, "y");
}

void import_opset(google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>* imports, const char* domain,
                  int version) {
  onnx::OperatorSetIdProto& import = *imports->Add();
  import.set_domain(domain);
  import.set_version(version);
}

void add_local_function(const StepProgram& program, const ExportOptions& options, const std::string& doc,
                        onnx::ModelProto& model) {
  onnx::FunctionProto& function = *model.add_functions();
  function.set_name(options.name);
  function.set_domain(kDomain);
  function.set_doc_string(doc);
  import_opset(function.mutable_opset_import(), "", kOpset);
  onnx::NodeProto& call = *model.mutable_graph()->add_node();
  call.set_op_type(options.name);
  call.set_domain(kDomain);
  const auto add_input = [&](const std::string& name) {
    function.add_input(name);
    call.add_input(name);
  };
  add_input("x");
  for (const Parameter& parameter : program.parameters) add_input(parameter_name(parameter.index));
  function.add_output("y");
  call.add_output("y");
  add_nodes(program, function.mutable_node());
  import_opset(model.mutable_opset_import(), kDomain, 1);
}

void add_initializer(const Parameter& parameter, const ExportOptions& options, onnx::GraphProto& graph) {
  onnx::TensorProto& tensor = *graph.add_initializer();
  tensor.set_name(parameter_name(parameter.index));
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  std::int64_t size = 1;
  for (const std::int64_t extent : options.parameter_shape) {
    constexpr std::int64_t kMost = std::int64_t{1} << 24;
    if (extent < 1 || extent > kMost / size)
      throw Error(ErrorCode::kUsage, "a parameter's shape has positive extents, and at most 2^24 values");
    tensor.add_dims(extent);
    size *= extent;
  }
  for (std::int64_t i = 0; i < size; ++i) tensor.add_float_data(static_cast<float>(parameter.initial));
}

// The extents are symbols: x and y have the same ones, whatever they are.
void declare(const char* name, int rank, onnx::ValueInfoProto& value) {
  value.set_name(name);
  onnx::TypeProto::Tensor& type = *value.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx::TensorProto::FLOAT);
  for (int i = 0; i < rank; ++i) type.mutable_shape()->add_dim()->set_dim_param("d" + std::to_string(i));
}

int rank_of_input(const ExportOptions& options) {
  constexpr int kMost = 64;
  const int rank = options.onnx_rank.value_or(static_cast<int>(options.parameter_shape.size()) + 1);
  if (rank < 0 || rank > kMost) throw Error(ErrorCode::kUsage, "an input has from 0 to 64 dimensions");
  return rank;
}

constexpr std::string_view kFaster =
    "runtimes that compile models (TensorRT, OpenVINO) make one pass of its {n} operators; onnxruntime alone runs "
    "them one after the other.";

std::string write(const Expr& expr, const ExportOptions& options) {
  const StepProgram program = export_steps(expr, options);
  const std::string doc = "f(x) = " + export_header(expr, program, options, "", kFaster);
  onnx::ModelProto model;
  model.set_ir_version(kIrVersion);
  model.set_producer_name("actforge");
  model.set_doc_string(doc);
  import_opset(model.mutable_opset_import(), "", kOpset);
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name(options.name);
  const int rank = rank_of_input(options);
  declare("x", rank, *graph.add_input());
  declare("y", rank, *graph.add_output());
  for (const Parameter& parameter : program.parameters) add_initializer(parameter, options, graph);
  if (options.onnx_local_function) {
    add_local_function(program, options, doc, model);
  } else {
    add_nodes(program, graph.mutable_node());
  }
  return model.SerializeAsString();
}

}  // namespace

ExportTarget onnx_target() {
  return {.name = "onnx",
          .title = "ONNX",
          .file_extension = ".onnx",
          .summary = "a model with a local function, or with plain nodes",
          .write = write,
          .spelling = &Spelling::onnx,
          .binary = true};
}

}  // namespace actforge
