// Functions of a space share their parts: unary(unary(unary(unary(x)))) has 531,441 functions over the same 19,683
// arguments. Canonical forms of the parts are made once, their outputs computed once; a function then costs one step of
// the canonical form and, if that is new, one operator over the inputs.
#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <limits>
#include <map>
#include <new>
#include <unordered_map>

#include "actforge/base/parallel.h"
#include "actforge/expr/kernels/simd_kernels.h"
#include "actforge/expr/language/canonical_pool.h"
#include "actforge/space/function_source.h"

namespace actforge {
namespace {

constexpr std::uint64_t kMostStoredNodes = 1 << 17;               // of all parts; others are put together each time
constexpr std::size_t kMostStoredBytes = std::size_t{256} << 20;  // of outputs; others are computed each time

using Block = hwy::AlignedFreeUniquePtr<float[]>;

Block allocate(std::size_t size) {
  Block block = hwy::AllocateAligned<float>(size);
  if (!block) throw std::bad_alloc();
  return block;
}

// canonical() tries two ways, and a function keeps the first or the second: with the sign of zeros, or without.
struct Forms {
  NodeId signed_zeros = 0;
  NodeId plain = 0;
};

struct Pools {
  CanonicalPool signed_zeros{true};
  CanonicalPool plain{false};
};

// One shape of parts, such as unary(binary(unary(x),unary(x))), wherever it appears in the schemas.
struct Part {
  NodeKind kind = NodeKind::kInput;
  double constant = 0;
  std::span<const Op> ops = {};
  std::vector<std::uint32_t> children = {};
  std::uint64_t count = 1;
  std::vector<Forms> stored = {};
};

// Where outputs are kept, by node of one pool; null where they are not.
using OutputTable = std::vector<const float*>;

class Evaluator {
 public:
  Evaluator(std::span<const float> inputs, std::size_t stride)
      : table_(portable_table()), inputs_(inputs), stride_(stride) {}

  void evaluate(const CanonicalPool& pool, const OutputTable& known, NodeId id, float* out) {
    compute(pool, known, id, out, 0);
  }

 private:
  const float* get(const CanonicalPool& pool, const OutputTable& known, NodeId id, std::size_t depth) {
    if (pool.node(id).kind == NodeKind::kInput) return inputs_.data();
    if (id < known.size() && known[id] != nullptr) return known[id];
    while (scratch_.size() <= depth) scratch_.push_back(allocate(stride_));
    float* out = scratch_[depth].get();
    compute(pool, known, id, out, depth + 1);
    return out;
  }

  // Uses scratch blocks from `depth` on.
  void compute(const CanonicalPool& pool, const OutputTable& known, NodeId id, float* out, std::size_t depth) {
    const GraphNode& node = pool.node(id);
    if (node.kind == NodeKind::kInput) return table_.copy(inputs_.data(), out, stride_);
    if (node.kind == NodeKind::kConstant) return table_.fill(static_cast<float>(node.constant), out, stride_);
    const float* a = get(pool, known, node.args[0], depth);
    if (node.args.size() == 1) return table_.value[static_cast<std::size_t>(node.op)](a, out, stride_);
    const auto step = table_.value2[static_cast<std::size_t>(binary_step(node.op))];
    for (std::size_t i = 1; i < node.args.size(); ++i) {
      step(a, get(pool, known, node.args[i], depth + 1), out, stride_);
      a = out;
    }
  }

  const KernelTable& table_;
  std::span<const float> inputs_;
  std::size_t stride_;
  std::vector<Block> scratch_;
};

class SharedSources final : public FunctionSources {
 public:
  SharedSources(const Space& space, const SourceOptions& options) : space_(space) {
    const std::vector<float> inputs = fingerprint_inputs(options.fingerprint);
    input_count_ = inputs.size();
    constexpr std::size_t kPadding = 64;  // more lanes than any instruction set has
    stride_ = (inputs.size() + kPadding - 1) / kPadding * kPadding;
    inputs_ = allocate(stride_);
    std::fill_n(inputs_.get(), stride_, 0.0f);
    std::ranges::copy(inputs, inputs_.get());
    const Integer to = options.to.value_or(space.total());
    for (std::size_t i = 0; i < space.schemas().size(); ++i) {
      const bool is_wanted = space.begin_of(i) < to && space.begin_of(i + 1) > options.from;
      roots_.push_back(is_wanted ? add_part(space.schemas()[i], 0) : 0);
    }
    // More parts than functions would not pay.
    const Integer functions = to - options.from;
    const auto most = functions < kMostStoredNodes ? static_cast<std::uint64_t>(functions) : kMostStoredNodes;
    store_parts(most, options.threads);
  }

  std::unique_ptr<FunctionSource> make() const override;

  // The canonical forms of one function of a part.
  Forms forms(Pools& pools, std::uint32_t part_id, std::uint64_t index) const {
    const Part& part = parts_[part_id];
    if (!part.stored.empty()) return part.stored[index];
    if (part.kind == NodeKind::kInput) return {pools.signed_zeros.input(), pools.plain.input()};
    if (part.kind == NodeKind::kConstant) {
      return {pools.signed_zeros.constant(part.constant), pools.plain.constant(part.constant)};
    }
    CanonicalPool::Args signed_zeros(part.children.size()), plain(part.children.size());
    for (std::size_t i = part.children.size(); i-- > 0;) {  // digits, the last the least significant
      const std::uint64_t radix = parts_[part.children[i]].count;
      const Forms child = forms(pools, part.children[i], index % radix);
      index /= radix;
      signed_zeros[i] = child.signed_zeros;
      plain[i] = child.plain;
    }
    const Op op = part.ops[index];
    return {pools.signed_zeros.apply(op, std::move(signed_zeros)), pools.plain.apply(op, std::move(plain))};
  }

  const Space& space() const { return space_; }
  const Pools& pools() const { return pools_; }
  std::uint32_t root(std::size_t schema) const { return roots_[schema]; }
  const OutputTable& outputs(bool signed_zeros) const { return signed_zeros ? signed_outputs_ : plain_outputs_; }
  std::span<const float> inputs() const { return {inputs_.get(), stride_}; }
  std::size_t input_count() const { return input_count_; }
  std::size_t stride() const { return stride_; }

 private:
  // Children first, each shape once.
  std::uint32_t add_part(const Schema& schema, std::uint32_t id) {
    const SchemaNode& node = schema.node(id);
    Part part{.kind = node.kind, .constant = node.constant};
    for (const std::uint32_t child : node.children) {
      part.children.push_back(add_part(schema, child));
      is_inner_[part.children.back()] = true;
    }
    for (const std::uint32_t child : part.children) part.count *= parts_[child].count;
    if (node.kind == NodeKind::kOperator) {
      part.ops = space_.lists()[node.list].ops;
      part.count *= part.ops.size();
    }
    const auto [place, is_new] =
        by_text_.try_emplace(schema.text(space_.lists(), id), static_cast<std::uint32_t>(parts_.size()));
    if (is_new) {
      parts_.push_back(std::move(part));
      is_inner_.push_back(false);
    }
    return place->second;
  }

  // The smallest first: they are inside the others, and are used most.
  void store_parts(std::uint64_t most, std::size_t threads) {
    std::vector<std::uint32_t> inner;
    for (std::uint32_t part = 0; part < parts_.size(); ++part) {
      if (is_inner_[part]) inner.push_back(part);
    }
    std::ranges::stable_sort(inner, {}, [&](std::uint32_t part) { return parts_[part].count; });
    std::uint64_t nodes = 0;
    for (const std::uint32_t part : inner) {
      if (parts_[part].count > most - nodes) break;
      nodes += parts_[part].count;
      store(part, threads);
    }
  }

  void store(std::uint32_t part_id, std::size_t threads) {
    std::vector<Forms> stored;
    stored.reserve(parts_[part_id].count);
    for (std::uint64_t i = 0; i < parts_[part_id].count; ++i) stored.push_back(forms(pools_, part_id, i));
    parts_[part_id].stored = std::move(stored);
    evaluate(pools_.signed_zeros, signed_outputs_, threads);
    evaluate(pools_.plain, plain_outputs_, threads);
  }

  // Outputs of the nodes that came with the last part. Nodes of the two pools that are alike share them.
  void evaluate(const CanonicalPool& pool, OutputTable& known, std::size_t threads) {
    struct Task {
      NodeId id;
      float* out;
    };
    std::vector<Task> tasks;
    OutputTable grown = known;
    grown.resize(pool.size(), nullptr);
    for (auto id = static_cast<NodeId>(known.size()); id < pool.size(); ++id) {
      const auto found = by_hash_.find(pool.node(id).hash);
      if (found != by_hash_.end()) {
        grown[id] = found->second;
      } else if ((blocks_.size() + 1) * stride_ * sizeof(float) <= kMostStoredBytes) {
        blocks_.push_back(allocate(stride_));
        tasks.push_back({id, blocks_.back().get()});
        grown[id] = by_hash_[pool.node(id).hash] = tasks.back().out;
      }
    }
    parallel_for(threads, tasks.size(), [&](std::size_t begin, std::size_t end, std::size_t) {
      Evaluator evaluator(inputs(), stride_);
      for (std::size_t i = begin; i < end; ++i) evaluator.evaluate(pool, known, tasks[i].id, tasks[i].out);
    });
    known = std::move(grown);
  }

  const Space& space_;
  std::size_t input_count_ = 0, stride_ = 0;
  Block inputs_;
  std::vector<Part> parts_;
  std::vector<bool> is_inner_;
  std::map<std::string, std::uint32_t> by_text_;
  std::vector<std::uint32_t> roots_;
  Pools pools_;
  std::vector<Block> blocks_;
  std::unordered_map<Hash128, const float*> by_hash_;
  OutputTable signed_outputs_, plain_outputs_;
};

class SharedSource final : public FunctionSource {
 public:
  explicit SharedSource(const SharedSources& shared)
      : shared_(shared),
        pools_(shared.pools()),
        evaluator_(shared.inputs(), shared.stride()),
        outputs_(allocate(shared.stride())) {}

  Hash128 canonical_hash(const Integer& index) override {
    const Space& space = shared_.space();
    if (index < begin_ || index >= end_) {
      schema_ = space.schema_at(index);
      begin_ = space.begin_of(schema_);
      end_ = space.begin_of(schema_ + 1);
    }
    const Forms forms = shared_.forms(pools_, shared_.root(schema_), static_cast<std::uint64_t>(index - begin_));
    signed_zeros_ = pools_.signed_zeros.tells_zeros_apart(forms.signed_zeros);
    node_ = signed_zeros_ ? forms.signed_zeros : forms.plain;
    return pool().node(node_).hash;
  }

  Hash128 fingerprint() override {
    evaluator_.evaluate(pool(), shared_.outputs(signed_zeros_), node_, outputs_.get());
    return hash_outputs({outputs_.get(), shared_.input_count()});
  }

  void forget() override {
    pools_.signed_zeros.truncate(shared_.pools().signed_zeros.size());
    pools_.plain.truncate(shared_.pools().plain.size());
  }

 private:
  const CanonicalPool& pool() const { return signed_zeros_ ? pools_.signed_zeros : pools_.plain; }

  const SharedSources& shared_;
  Pools pools_;
  Evaluator evaluator_;
  Block outputs_;
  std::size_t schema_ = 0;
  Integer begin_ = 0, end_ = 0;
  NodeId node_ = 0;
  bool signed_zeros_ = false;
};

bool is_free_of_parameters(const Space& space) {
  const auto has_own = [](Op op) {
    const Expr* body = definition_of(op);
    return body != nullptr && !body->parameters().empty();
  };
  return space.parameters() == 0 && std::ranges::none_of(space.lists(), [&](const OperatorList& list) {
           return std::ranges::any_of(list.ops, has_own);
         });
}

std::unique_ptr<FunctionSource> SharedSources::make() const { return std::make_unique<SharedSource>(*this); }

}  // namespace

bool can_share(const Space& space) {
  for (const Schema& schema : space.schemas()) {
    if (schema.function_count(space.lists()) > std::numeric_limits<std::int64_t>::max()) return false;
  }
  return is_free_of_parameters(space);
}

std::unique_ptr<FunctionSources> shared_sources(const Space& space, const SourceOptions& options) {
  return std::make_unique<SharedSources>(space, options);
}

}  // namespace actforge
