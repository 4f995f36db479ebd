// Archives that Keras 2 and 3 saved (make_keras_archives.py), and damaged ones.
#include <cstring>
#include <fstream>
#include <iterator>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "actforge/base/zip.h"
#include "actforge/keras/hdf5.h"
#include "actforge/keras/stored_names.h"
#include "tests/base/make_zip.h"
#include "tests/base/said_of.h"
#include "tests/keras/helpers.h"

namespace actforge {
namespace {

std::string saved(const std::string& version) {
  std::ifstream file(ACTFORGE_TESTS "/fuzz/seeds/fuzz_keras_archive/" + version + ".keras", std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  EXPECT_FALSE(bytes.empty());
  return bytes;
}

std::string part(const std::string& archive, const std::string& name) {
  const std::vector<ZipEntry> entries = zip_entries(archive);
  return zip_content(archive, *find_zip_entry(entries, name), 1 << 24);
}

float number_at(const std::string& weights, const std::string& path, std::size_t index) {
  const Hdf5Dataset dataset = hdf5_datasets(weights).at(path);
  float value = 0;
  std::memcpy(&value, weights.data() + dataset.offset + index * sizeof value, sizeof value);
  return value;
}

LayerId find_layer(const Network& network, const std::string& name) {
  for (LayerId id = 0; id < network.layers().size(); ++id) {
    if (network.layer(id).name == name) return id;
  }
  ADD_FAILURE() << name;
  return 0;
}

TEST(KerasArchive, DatasetsAreFoundWithTheirShapes) {
  for (const char* version : {"keras2", "keras3"}) {
    const std::map<std::string, Hdf5Dataset> datasets = hdf5_datasets(part(saved(version), "model.weights.h5"));
    EXPECT_EQ(datasets.at("layers/conv2d/vars/0").shape, (Shape{3, 3, 1, 1})) << version;
    EXPECT_EQ(datasets.at("layers/sequential/layers/dense_1/vars/1").shape, (Shape{4})) << version;
    EXPECT_EQ(datasets.at("layers/dense/vars/0").shape, (Shape{4, 3})) << version;
    for (const auto& [path, dataset] : datasets) EXPECT_EQ(dataset.problem, "") << path;
  }
}

TEST(KerasArchive, WeightsAreSetInTheOrderOfKerasAndNothingElseChanges) {
  for (const char* version : {"keras2", "keras3"}) {
    const std::string archive = saved(version);
    const KerasFile file = KerasFile::parse_archive(archive);
    EXPECT_TRUE(file.is_archive());
    const LayerId last = find_layer(file.network(), "last");
    const std::string written = file.archive_with([&](LayerId layer, std::size_t weight) {
      if (layer != last || weight != 0) return std::vector<float>();
      return std::vector<float>{11, 12, 13, 14, 21, 22, 23, 24, 31, 32, 33, 34};  // an output per row
    });
    EXPECT_EQ(written.size(), archive.size());
    EXPECT_EQ(part(written, "config.json"), part(archive, "config.json"));
    const std::string old = part(archive, "model.weights.h5"), weights = part(written, "model.weights.h5");
    const std::size_t offset = hdf5_datasets(weights).at("layers/dense/vars/0").offset;
    EXPECT_EQ(number_at(weights, "layers/dense/vars/0", 0), 11);
    EXPECT_EQ(number_at(weights, "layers/dense/vars/0", 1), 21);
    EXPECT_EQ(number_at(weights, "layers/dense/vars/0", 3), 12);
    EXPECT_EQ(number_at(weights, "layers/dense/vars/0", 11), 34);
    EXPECT_EQ(weights.substr(0, offset), old.substr(0, offset));
    EXPECT_EQ(weights.substr(offset + 48), old.substr(offset + 48));
    EXPECT_EQ(file.archive_with([](LayerId, std::size_t) { return std::vector<float>(); }), archive);
  }
}

TEST(KerasArchive, LayersAreCalledByTheirClasses) {
  const std::pair<const char*, const char*> kNames[] = {{"Dense", "dense"},
                                                        {"Conv2D", "conv2d"},
                                                        {"SeparableConv2D", "separable_conv2d"},
                                                        {"ReLU", "re_lu"},
                                                        {"LSTM", "lstm"},
                                                        {"MultiHeadAttention", "multi_head_attention"},
                                                        {"LeakyReLU", "leaky_re_lu"},
                                                        {"PReLU", "p_re_lu"},
                                                        {"Conv2DTranspose", "conv2d_transpose"},
                                                        {"GRU", "gru"},
                                                        {"SimpleRNN", "simple_rnn"},
                                                        {"UpSampling2D", "up_sampling2d"},
                                                        {"RMSNormalization", "rms_normalization"}};
  for (const auto& [given, wanted] : kNames) EXPECT_EQ(keras_snake_case(given), wanted);
}

TEST(KerasArchive, SaysWhatCannotBeSet) {
  const std::string archive = saved("keras3");
  const auto all_of = [](const KerasFile& file) {
    return [&](LayerId layer, std::size_t weight) {
      return std::vector<float>(element_count(file.network().layer(layer).weights[weight].shape), 1.0F);
    };
  };
  const ZipPart config = {"config.json", part(archive, "config.json")};
  const ZipPart weights = {"model.weights.h5", part(archive, "model.weights.h5")};
  const auto refused = [&](const std::vector<ZipPart>& parts) {
    const KerasFile file = KerasFile::parse_archive(make_zip(parts));
    return said_of([&] { file.archive_with(all_of(file)); });
  };
  EXPECT_EQ(refused({config, weights}), "");
  EXPECT_TRUE(contains(refused({config}), "has no model.weights.h5"));
  EXPECT_TRUE(contains(refused({config, {weights.name, weights.content, true}}), "compressed"));
  EXPECT_TRUE(contains(refused({config, {weights.name, "HDF"}}), "the HDF5 file is none"));
  std::string longer = config.content;
  const std::size_t at = longer.find("\"units\": 3");
  ASSERT_NE(at, std::string::npos);
  longer.replace(at, 10, "\"units\": 5");
  EXPECT_TRUE(contains(refused({{config.name, longer}, weights}), "shape 4x3 where 20 numbers are needed"));
  std::string moved = weights.content;
  for (std::size_t i = moved.find("conv2d"); i != std::string::npos; i = moved.find("conv2d")) moved[i] = 'k';
  EXPECT_TRUE(contains(refused({config, {weights.name, moved}}), "is not where Keras keeps it"));
  EXPECT_TRUE(contains(refusal([&] { KerasFile::parse_archive(make_zip({weights})); }), "without a config.json"));
}

TEST(KerasArchive, AnyHdf5IsReadOrRefused) {
  const std::string weights = part(saved("keras2"), "model.weights.h5");
  for (std::size_t size = 0; size < weights.size(); size += 97) {
    said_of([&] { hdf5_datasets(weights.substr(0, size)); });
  }
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed, 0, "hdf5");
    std::string bytes = weights;
    for (int i = 0; i < 8; ++i) bytes[random.below(bytes.size())] = static_cast<char>(random.next());
    said_of([&] {
      for (const auto& [path, dataset] : hdf5_datasets(bytes)) {
        if (!dataset.problem.empty()) continue;
        EXPECT_LE(dataset.offset + static_cast<std::size_t>(element_count(dataset.shape)) * sizeof(float),
                  bytes.size());
      }
    });
  }
}

}  // namespace
}  // namespace actforge
