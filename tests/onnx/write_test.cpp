// A file written again: everything as it was, but for the weights that were replaced.
#include <google/protobuf/util/message_differencer.h>

#include <cstring>

#include "actforge/onnx/half.h"
#include "tests/onnx/helpers.h"

namespace actforge {
namespace {

using google::protobuf::util::MessageDifferencer;

onnx::ModelProto load(const std::string& path) {
  onnx::ModelProto model;
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(model.ParseFromIstream(&file)) << path;
  return model;
}

std::vector<float> none(LayerId, std::size_t) { return {}; }

ModelMaker& dense_model(ModelMaker& maker) {
  maker.node("MatMul", {maker.input("x", {0, 3}), maker.weight("w", {3, 2})}, "m");
  maker.node("Add", {"m", maker.weight("b", {2})}, "s");
  maker.node("Relu", {"s"}, "y");
  maker.output("y");
  return maker;
}

TEST(OnnxWrite, NothingChangesByItself) {
  ModelMaker maker;
  dense_model(maker).model.set_producer_name("somebody");
  maker.model.mutable_unknown_fields()->AddVarint(5000, 77);  // of a later version of the format
  const OnnxFile file = maker.read();
  file.write(maker.folder / "out.onnx", none);
  const onnx::ModelProto again = load(maker.folder / "out.onnx");
  EXPECT_TRUE(MessageDifferencer::Equals(maker.model, again));
  EXPECT_EQ(again.SerializeAsString(), maker.model.SerializeAsString());
}

TEST(OnnxWrite, NewNumbersComeBack) {
  ModelMaker maker;
  const OnnxFile file = dense_model(maker).read();
  const std::vector<float> kernel = {1, 2, 3, 4, 5, 6}, bias = {7, 8};
  file.write(maker.folder / "out.onnx", [&](LayerId layer, std::size_t weight) {
    return layer != 1 ? std::vector<float>() : weight == 0 ? kernel : bias;
  });
  const OnnxFile again = OnnxFile::read(maker.folder / "out.onnx");
  EXPECT_EQ(again.values(1, 0), kernel);
  EXPECT_EQ(again.values(1, 1), bias);
  // By columns in the file.
  const std::string raw = load(maker.folder / "out.onnx").graph().initializer(0).raw_data();
  float second = 0;
  std::memcpy(&second, raw.data() + 4, 4);
  EXPECT_EQ(second, 4);
}

TEST(OnnxWrite, EveryTypeAndField) {
  for (const int type :
       {onnx::TensorProto::FLOAT, onnx::TensorProto::DOUBLE, onnx::TensorProto::FLOAT16, onnx::TensorProto::BFLOAT16}) {
    for (const bool raw : {false, true}) {
      ModelMaker maker;
      dense_model(maker);
      onnx::TensorProto& tensor = *maker.graph().mutable_initializer(0);
      tensor.clear_raw_data();
      tensor.set_data_type(type);
      std::string bytes;
      for (int i = 0; i < 6; ++i) {
        const auto value = static_cast<float>(i) * 0.5F;
        const std::uint16_t bits = type == onnx::TensorProto::FLOAT16 ? to_half(value) : to_bfloat(value);
        const double wide = value;
        if (raw && type == onnx::TensorProto::FLOAT) bytes.append(reinterpret_cast<const char*>(&value), 4);
        if (raw && type == onnx::TensorProto::DOUBLE) bytes.append(reinterpret_cast<const char*>(&wide), 8);
        if (raw && type > onnx::TensorProto::BOOL && type != onnx::TensorProto::DOUBLE)
          bytes.append(reinterpret_cast<const char*>(&bits), 2);
        if (raw) continue;
        if (type == onnx::TensorProto::FLOAT) tensor.add_float_data(value);
        if (type == onnx::TensorProto::DOUBLE) tensor.add_double_data(wide);
        if (type > onnx::TensorProto::BOOL && type != onnx::TensorProto::DOUBLE) tensor.add_int32_data(bits);
      }
      if (raw) tensor.set_raw_data(bytes);
      const OnnxFile file = maker.read();
      EXPECT_EQ(file.values(1, 0), (std::vector<float>{0, 1, 2, 0.5F, 1.5F, 2.5F})) << type;
      file.write(maker.folder / "out.onnx", [&](LayerId layer, std::size_t weight) {
        std::vector<float> values = weight == 0 ? file.values(layer, weight) : std::vector<float>();
        for (float& value : values) value *= 2;
        return values;
      });
      const onnx::ModelProto again = load(maker.folder / "out.onnx");
      EXPECT_EQ(again.graph().initializer(0).data_type(), type);
      EXPECT_EQ(again.graph().initializer(0).has_raw_data(), raw);
      EXPECT_EQ(OnnxFile::read(maker.folder / "out.onnx").values(1, 0), (std::vector<float>{0, 2, 4, 1, 3, 5})) << type;
    }
  }
}

TEST(OnnxHalf, EveryNumberComesBack) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if ((half & 0x7fff) <= 0x7c00) {
      EXPECT_EQ(to_half(from_half(half)), half);
    }
    if ((half & 0x7fff) <= 0x7f80) {
      EXPECT_EQ(to_bfloat(from_bfloat(half)), half);
    }
  }
  EXPECT_EQ(to_half(65519), 0x7bff);
  EXPECT_EQ(to_half(65520), 0x7c00);
  EXPECT_EQ(to_half(1 + 1.0F / 2048), 0x3c00);  // a tie, to even
  EXPECT_EQ(to_half(1 + 3.0F / 2048), 0x3c02);
  EXPECT_EQ(to_half(1e-10F), 0);
}

TEST(OnnxWrite, GatesAndBothBiasesOfALstm) {
  ModelMaker maker;
  maker.input("x", {7, 0, 3});
  maker.weight("w", {1, 8, 3});
  maker.weight("r", {1, 8, 2});
  maker.weight("b", {1, 16});
  maker.node("LSTM", {"x", "w", "r", "b"}, Names{"y"});
  maker.with("hidden_size", 2).output("y");
  const OnnxFile file = maker.read();
  file.write(maker.folder / "same.onnx", [&](LayerId layer, std::size_t weight) { return file.values(layer, weight); });
  const OnnxFile again = OnnxFile::read(maker.folder / "same.onnx");
  for (std::size_t w = 0; w < 3; ++w) EXPECT_EQ(again.values(1, w), file.values(1, w));
  const onnx::ModelProto model = load(maker.folder / "same.onnx");
  EXPECT_EQ(model.graph().initializer(0).raw_data(), maker.graph().initializer(0).raw_data());
  EXPECT_EQ(model.graph().initializer(2).raw_data().substr(32), std::string(32, '\0'));
}

TEST(OnnxWrite, ExternalData) {
  ModelMaker maker;
  dense_model(maker);
  onnx::TensorProto& tensor = *maker.graph().mutable_initializer(0);
  write_bytes(maker.folder / "numbers.bin", "junk" + tensor.raw_data() + "more");
  tensor.clear_raw_data();
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] : {std::pair{"location", "numbers.bin"}, {"offset", "4"}, {"length", "24"}}) {
    onnx::StringStringEntryProto& entry = *tensor.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
  const OnnxFile file = maker.read();
  EXPECT_FLOAT_EQ(file.values(1, 0)[1], 0.03F);
  file.write(maker.folder / "out.onnx", none);
  EXPECT_EQ(std::filesystem::file_size(maker.folder / "out.onnx.data"), 24U);
  EXPECT_EQ(OnnxFile::read(maker.folder / "out.onnx").values(1, 0), file.values(1, 0));
  file.write(maker.folder / "out.onnx", [](LayerId, std::size_t weight) {
    return weight == 0 ? std::vector<float>(6, 9.0F) : std::vector<float>();
  });
  EXPECT_EQ(OnnxFile::read(maker.folder / "out.onnx").values(1, 0), std::vector<float>(6, 9.0F));
  // Over the file it was read from.
  OnnxFile over = OnnxFile::read(maker.folder / "out.onnx");
  over.write(maker.folder / "out.onnx", none);
  EXPECT_EQ(over.values(1, 0), std::vector<float>(6, 9.0F));
}

TEST(OnnxWrite, ShiftsAreAddedAfterTheFunction) {
  ModelMaker maker;
  const OnnxFile file = dense_model(maker).read();
  file.write(maker.folder / "out.onnx", none, {{2, 0.25}});
  const onnx::ModelProto model = load(maker.folder / "out.onnx");
  ASSERT_EQ(model.graph().node_size(), 4);
  EXPECT_EQ(model.graph().node(2).output(0), "y_unshifted");
  EXPECT_EQ(model.graph().node(3).op_type(), "Add");
  EXPECT_EQ(model.graph().node(3).output(0), "y");
  EXPECT_TRUE(
      contains(network_text(OnnxFile::read(maker.folder / "out.onnx").network()), "function=add(relu(x),0.25)"));
  EXPECT_THROW(file.write(maker.folder / "out.onnx", none, {{1, 0.25}}), Error);
}

TEST(OnnxWrite, WrongNumbersLeaveNoFile) {
  ModelMaker maker;
  const OnnxFile file = dense_model(maker).read();
  const std::string said = refusal(
      [&] { file.write(maker.folder / "out.onnx", [](LayerId, std::size_t) { return std::vector<float>(5, 1.0F); }); });
  EXPECT_TRUE(contains(said, "5 new numbers for 6")) << said;
  EXPECT_FALSE(std::filesystem::exists(maker.folder / "out.onnx"));
}

TEST(OnnxWrite, SharedWeightsAreAskedForOnce) {
  ModelMaker maker;
  maker.weight("w", {3, 3});
  maker.node("MatMul", {maker.input("x", {0, 3}), "w"}, "once");
  maker.node("MatMul", {"once", "w"}, "twice");
  maker.output("twice");
  int asked = 0;
  maker.read().write(maker.folder / "out.onnx", [&](LayerId, std::size_t) {
    ++asked;
    return std::vector<float>();
  });
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace actforge
