// LSTM, GRU and simple recurrent layers, one direction, as exporters write them.
//   X [time, samples, channels] (layout 0), W [1, gates units, channels], R [1, gates units, units], B [1, 2 gates
//   units]
//   -> Y [time, 1, samples, units], Y_h [1, samples, units], Y_c
// The order of gates is i o f c and z r h in the file, i f g o and r z n in the network. The file has two biases per
// gate, one of which the network has only where it differs: in the candidate of a GRU.
#include <algorithm>

#include "actforge/onnx/nodes.h"
#include "actforge/onnx/tensor.h"

namespace actforge {
namespace {

struct Cell {
  const char* kind;
  std::vector<int> gates;  // of the network, by their place in the file
  std::vector<std::string> functions;
};

bool is_zero(const OnnxStep& step, std::size_t input) {
  if (!step.is_constant(input)) return false;
  const OnnxConstant& constant = step.constant(input);
  if (constant.fill) return *constant.fill == 0;
  if (constant.numbers) {
    return std::all_of(constant.numbers->begin(), constant.numbers->end(),
                       [](const Symbol& s) { return s.value == 0; });
  }
  if (constant.tensor == nullptr || constant.size() > kMaxStatistics) return false;
  const std::vector<float> values = tensor_floats(*constant.tensor, step.importer.folder());
  return std::all_of(values.begin(), values.end(), [](float value) { return value == 0; });
}

void check_supported(const OnnxStep& step, const Cell& cell) {
  if (step.node.word("direction", "forward") != "forward") step.refuse("it does not run forward");
  if (step.node.has("clip")) step.refuse("it clips its sums");
  if (step.node.integer("input_forget", 0) != 0) step.refuse("it couples its gates");
  if (step.has(7)) step.refuse("it has peepholes");
  const std::vector<std::string> functions = step.node.words("activations").value_or(cell.functions);
  if (!functions.empty() && functions != cell.functions) step.refuse("its functions are not the usual ones");
  if (step.has(4)) step.refuse("its sequences have lengths of their own");
  for (const std::size_t state : {5U, 6U}) {
    if (step.has(state) && !is_zero(step, state)) step.importer.note(step.node, "its first state is taken as zero");
  }
}

std::vector<WeightSource> recurrent_sources(const OnnxStep& step, const Cell& cell, std::int64_t units) {
  WeightSource kernel = step.source(1), state = step.source(2), bias = step.source(3);
  kernel.gates = state.gates = bias.gates = cell.gates;
  const std::int64_t rows = static_cast<std::int64_t>(cell.gates.size()) * units;
  if (cell.gates.size() == 3) {
    WeightSource second = bias;
    second.offset = rows;
    return {kernel, state, bias, second};
  }
  bias.added = rows;
  return {kernel, state, bias};
}

void import_recurrent(OnnxStep& step, const Cell& cell) {
  check_supported(step, cell);
  const bool batch_leads = step.node.integer("layout", 0) != 0;
  const Dims& dims = step.dims(0);
  const std::size_t batch = batch_leads ? 0 : 1;
  if (dims.size() != 3 || !dims[batch].vanishes()) step.refuse("it does not fit its input " + dims_text(dims));
  const std::int64_t units = step.node.integer("hidden_size", 0);
  const auto gates = static_cast<std::int64_t>(cell.gates.size());
  const Dims &kernel = step.constant(1).dims, &state = step.constant(2).dims;
  if (units < 1 || units > 1 << 16 || kernel != plain_dims({1, gates * units, dims[2].size}) ||
      state != plain_dims({1, gates * units, units})) {
    step.refuse("its weights " + dims_text(kernel) + " do not fit its input " + dims_text(dims));
  }
  if (step.has(3) && step.constant(3).size() != 2 * gates * units) step.refuse("its bias has a wrong size");
  if (step.has_output(2)) step.refuse("something uses the memory of its cells");
  const bool sequence = step.has_output(0);
  const LayerId made =
      step.importer.add_weighted(step.node, cell.kind, step.layer(0, 1), {{"units", units}, {"sequence", sequence}},
                                 recurrent_sources(step, cell, units));
  const Dim one = {}, samples = {.size = 1, .batch = true}, width = {.size = units};
  const Dim& time = dims[batch_leads ? 1 : 0];
  if (sequence) step.make(0, made, batch_leads ? Dims{samples, time, one, width} : Dims{time, one, samples, width});
  if (!step.has_output(1)) return;
  LayerId last = made;
  if (sequence) {
    last = step.add("slice", made, {{"axis", "0"}, {"begin", time.size - 1}, {"length", std::int64_t{1}}}, "last");
  }
  step.make(1, last, batch_leads ? Dims{samples, one, width} : Dims{one, samples, width});
}

void import_lstm(OnnxStep& step) { import_recurrent(step, {"lstm", {0, 2, 3, 1}, {"Sigmoid", "Tanh", "Tanh"}}); }

void import_gru(OnnxStep& step) {
  if (step.node.integer("linear_before_reset", 0) == 0) step.refuse("it resets the state before the product");
  import_recurrent(step, {"gru", {1, 0, 2}, {"Sigmoid", "Tanh"}});
}

void import_rnn(OnnxStep& step) { import_recurrent(step, {"simple_rnn", {0}, {"Tanh"}}); }

constexpr OnnxNodeRow kRows[] = {
    {"LSTM", import_lstm},
    {"GRU", import_gru},
    {"RNN", import_rnn},
};

}  // namespace

std::span<const OnnxNodeRow> onnx_recurrent_nodes() { return kRows; }

}  // namespace actforge
