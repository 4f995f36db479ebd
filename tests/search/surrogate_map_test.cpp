// Maps that grow with the spectra in a store.
#include "actforge/search/maps/surrogate_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "actforge/expr/language/graph.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "tests/search/problems.h"
#include "tests/store/store_helpers.h"

namespace actforge {
namespace {

constexpr const char* kGroup = "conditions";

Space pairs() {
  return Space(
      {.name = "pairs", .unary = tame_unary(), .binary = tame_binary(), .schemas = {"binary(unary(x),unary(x))"}});
}

// Numbers that depend on the function and on nothing else; each seventh function has none.
StudyFeatures spectrum_of(const Expr& function) {
  StudyFeatures features = {.group = kGroup, .expression = to_call(function)};
  const Hash128 hash = canonical(function).hash();
  features.key = hash.hex();
  features.valid = hash.low % 7 != 0;
  if (!features.valid) features.reason = "vanishes";
  Random random(hash.low);
  for (int i = 0; i < 12 && features.valid; ++i) features.values.push_back(static_cast<float>(random.uniform()));
  return features;
}

struct MapStudy {
  ScratchFolder folder;
  std::string place = (folder.path() / "study.db").string();
  std::unique_ptr<Store> store = create_store(place, test_header());
  Space space = pairs();

  SurrogateMapOptions options(std::uint64_t size) const {
    SurrogateMapOptions result = {.pool = {.first = {parse("elu(x)"), parse("swish(x)")}, .run = {.seed = 5}},
                                  .size = size,
                                  .by_spectra = true,
                                  .outputs = {.inputs = 50}};
    result.map.umap.epochs = 40;
    result.read_spectra = [this](std::int64_t& seen) { return store->features(kGroup, seen); };
    return result;
  }
  void measure(const std::vector<const PooledFunction*>& functions) const {
    for (const PooledFunction* function : functions) store->add_features(spectrum_of(function->expr));
  }
};

std::vector<std::string> names(const SurrogateMap& map) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < map.size(); ++i) list.push_back(to_call(map.function(i).expr));
  return list;
}

// From the definition: features of these functions, in this order.
Points direct_map(const std::vector<std::string>& functions, const SurrogateMapOptions& options) {
  std::vector<Expr> exprs;
  Points spectra(functions.size(), 12);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    exprs.push_back(parse(functions[i]));
    const StudyFeatures features = spectrum_of(exprs.back());
    std::copy(features.values.begin(), features.values.end(), spectra.row(i).begin());
  }
  const Points outputs = output_features(exprs, options.outputs);
  return map_functions({.outputs = outputs, .spectra = spectra}, options.map);
}

TEST(SurrogateMap, IsThereWhenItsFunctionsAreMeasured) {
  const MapStudy study;
  SurrogateMap map(study.space, study.options(40));
  map.update();
  EXPECT_FALSE(map.is_ready());
  std::vector<const PooledFunction*> wanted = map.missing();
  ASSERT_EQ(wanted.size(), 42u);
  EXPECT_EQ(to_call(wanted[0]->expr), "elu(x)");
  while (wanted.size() > 1) {
    study.measure({wanted.back()});
    map.update();
    EXPECT_FALSE(map.is_ready());
    EXPECT_EQ(map.missing().size(), wanted.size() - 1);
    wanted = map.missing();
  }
  study.measure(wanted);
  map.update();
  ASSERT_TRUE(map.is_ready());
  const std::vector<std::string> functions = names(map);
  EXPECT_LT(functions.size(), 42u);  // some have no valid spectrum
  EXPECT_GT(functions.size(), 25u);
  for (const std::string& function : functions) EXPECT_TRUE(spectrum_of(parse(function)).valid);
  const Points places = direct_map(functions, study.options(40));
  EXPECT_EQ(std::vector<float>(map.places().values, map.places().values + places.values.size()), places.values);
  EXPECT_EQ(map.missing().size(), 40u);  // for the next one
}

TEST(SurrogateMap, ALaterWorkerHasTheSame) {
  const MapStudy study;
  SurrogateMap map(study.space, study.options(30));
  map.update();
  std::vector<const PooledFunction*> wanted = map.missing();
  std::reverse(wanted.begin(), wanted.end());
  study.measure(wanted);
  map.update();
  wanted = map.missing();
  wanted.resize(5);
  study.measure(wanted);
  map.update();
  SurrogateMap other(study.space, study.options(30));
  other.update();
  ASSERT_TRUE(other.is_ready());
  EXPECT_EQ(names(other), names(map));
  ASSERT_EQ(other.places().count, map.places().count);
  for (std::size_t i = 0; i < map.size(); ++i) {
    EXPECT_EQ(other.places().row(i)[0], map.places().row(i)[0]);
    EXPECT_EQ(other.places().row(i)[1], map.places().row(i)[1]);
    EXPECT_EQ(map.find(map.function(i).key), i);
  }
}

TEST(SurrogateMap, WhatComesLaterGetsAPlaceAndThenAMapOfItsOwn) {
  const MapStudy study;
  SurrogateMap map(study.space, study.options(30));
  map.update();
  study.measure(map.missing());
  map.update();
  const std::size_t first = map.size();
  const std::vector<float> before(map.places().values, map.places().values + 2 * first);
  std::vector<const PooledFunction*> wanted = map.missing();
  ASSERT_EQ(wanted.size(), 30u);
  wanted.resize(12);
  study.measure(wanted);
  map.update();
  EXPECT_GT(map.size(), first);
  EXPECT_LE(map.size(), first + 12);
  EXPECT_EQ(std::vector<float>(map.places().values, map.places().values + 2 * first), before);  // they stay
  study.measure(map.missing());
  map.update();
  const Points places = direct_map(names(map), study.options(30));
  EXPECT_EQ(map.places().count, places.count);
  EXPECT_EQ(std::vector<float>(map.places().values, map.places().values + places.values.size()), places.values);
  EXPECT_EQ(map.missing().size(), 60u);
}

TEST(SurrogateMap, GuestsHavePlacesInTheMapThereIs) {
  const MapStudy study;
  SurrogateMap map(study.space, study.options(30));
  const FunctionKeys keys;
  const Expr guest = parse("add(relu(x),mul(3,tanh(x)))"), known = parse("elu(x)");
  map.add_guest(guest, keys(guest));
  map.add_guest(guest, keys(guest));
  map.update();
  map.add_guest(known, keys(known));  // it is in the pool
  const auto wants_guest = [&] {
    return std::ranges::count_if(map.missing(), [&](const PooledFunction* f) { return f->expr == guest; });
  };
  EXPECT_EQ(wants_guest(), 1);
  EXPECT_TRUE(map.place_of(keys(guest)).empty());
  study.measure(map.missing());
  map.update();
  EXPECT_TRUE(map.is_ready());
  EXPECT_EQ(wants_guest(), 0);
  EXPECT_FALSE(map.find(keys(guest)));
  EXPECT_EQ(map.place_of(keys(guest)).size(), map.places().width);
  EXPECT_EQ(map.place_of(keys(known)).data(), map.places().row(map.find(keys(known)).value()).data());
  // A later one is more urgent than what only the next map needs.
  ASSERT_GT(map.missing().size(), 10U);
  const Expr later = parse("add(relu(x),mul(5,tanh(x)))");
  map.add_guest(later, keys(later));
  EXPECT_EQ(map.missing().front()->expr, later);
}

TEST(SurrogateMap, EndsWithTheSpace) {
  const MapStudy study;
  SurrogateMap map(study.space, study.options(0));
  for (int i = 0; i < 3; ++i) {
    map.update();
    study.measure(map.missing());
  }
  map.update();
  EXPECT_TRUE(map.is_ready());
  EXPECT_TRUE(map.missing().empty());
}

TEST(SurrogateMap, ByOutputsAloneNothingIsMeasured) {
  const MapStudy study;
  SurrogateMapOptions options = study.options(20);
  options.by_spectra = false;
  SurrogateMap map(study.space, options);
  map.update();
  ASSERT_TRUE(map.is_ready());
  EXPECT_EQ(map.size(), 22u);
  EXPECT_TRUE(map.missing().empty());
  ASSERT_TRUE(map.grow());
  EXPECT_EQ(map.size(), 42u);
  while (map.grow()) {
  }
  CandidatePool pool(study.space, options.pool);
  pool.reach(100000);
  EXPECT_EQ(map.size(), pool.size());
  EXPECT_FALSE(map.grow());
}

TEST(SurrogateMap, LeavesOutWhatCannotBeCompared) {
  const MapStudy study;
  SurrogateMapOptions options = study.options(10);
  options.pool.first = {parse("1/relu(x)"), parse("elu(x)")};
  SurrogateMap map(study.space, options);
  map.update();
  const std::vector<const PooledFunction*> wanted = map.missing();
  EXPECT_EQ(wanted.size(), 11u);  // not of the one whose outputs are infinite
  // One whose spectrum has another length, which no program of ours writes.
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    StudyFeatures features = spectrum_of(wanted[i]->expr);
    if (i == 5 && features.valid) features.values.resize(3);
    study.store->add_features(features);
  }
  map.update();
  ASSERT_TRUE(map.is_ready());
  std::set<std::string> there;
  for (const std::string& name : names(map)) there.insert(name);
  EXPECT_FALSE(there.contains("div(1,relu(x))"));
  EXPECT_FALSE(there.contains(to_call(wanted[5]->expr)));
  EXPECT_TRUE(there.contains("elu(x)") == spectrum_of(parse("elu(x)")).valid);
}

TEST(SurrogateMap, EqualsButForRoundingHaveOnePlace) {
  const MapStudy study;
  SurrogateMapOptions options = study.options(0);
  options.by_spectra = false;
  options.pool.first = {parse("tanh(x)"), parse("2*sigmoid(2*x)-1"), parse("tanh(1.001*x)"), parse("alpha*tanh(x)"),
                        parse("tanh(alpha*x)")};
  SurrogateMap map(study.space, options);
  map.update();
  const std::vector<std::string> there = names(map);
  const auto has = [&](const char* text) {
    return std::find(there.begin(), there.end(), to_call(parse(text))) != there.end();
  };
  EXPECT_TRUE(has("tanh(x)"));
  EXPECT_FALSE(has("2*sigmoid(2*x)-1"));
  EXPECT_TRUE(has("tanh(1.001*x)"));
  // Equal only as long as alpha is one.
  EXPECT_TRUE(has("alpha*tanh(x)"));
  EXPECT_TRUE(has("tanh(alpha*x)"));
}

TEST(SurrogateMap, WithoutAnyPlaceThereIsAnEmptyMap) {
  const MapStudy study;
  SurrogateMap map(study.space, study.options(8));
  map.update();
  for (const PooledFunction* function : map.missing()) {
    StudyFeatures features = spectrum_of(function->expr);
    features.valid = false;
    features.reason = "explodes";
    features.values.clear();
    study.store->add_features(features);
  }
  map.update();
  EXPECT_TRUE(map.is_ready());
  EXPECT_EQ(map.size(), 0u);
  // Then something gets a spectrum, but there is no map to place it in until the next is complete.
  std::vector<const PooledFunction*> wanted = map.missing();
  study.measure({wanted[0], wanted[1]});
  map.update();
  EXPECT_EQ(map.size(), 0u);
  study.measure(map.missing());
  map.update();
  EXPECT_GT(map.size(), 0u);
}

}  // namespace
}  // namespace actforge
