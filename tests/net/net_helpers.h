#pragma once

#include <gtest/gtest.h>

#include <string>

#include "actforge/base/error.h"
#include "actforge/net/graph/network_text.h"

namespace actforge {

// What a call that must be refused as bad input says.
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "it was not refused";
  return {};
}

inline bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// The layer `it` of a network given by the lines of its layers; lines are separated by ';'.
inline Network network_of(std::string lines) {
  for (char& c : lines) c = c == ';' ? '\n' : c;
  return parse_network_text("network test\n" + lines + "\nreturn it\n");
}
inline Layer layer_of(const std::string& lines) { return network_of(lines).layers().back(); }

inline void expect_equal(const Network& a, const Network& b) {
  EXPECT_EQ(a.name(), b.name());
  EXPECT_TRUE(std::equal(a.outputs().begin(), a.outputs().end(), b.outputs().begin(), b.outputs().end()));
  ASSERT_EQ(a.layers().size(), b.layers().size());
  for (LayerId id = 0; id < a.layers().size(); ++id) {
    const Layer &x = a.layer(id), &y = b.layer(id);
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.kind, y.kind) << x.name;
    EXPECT_EQ(x.inputs, y.inputs) << x.name;
    EXPECT_TRUE(x.attributes == y.attributes) << x.name << ": " << settings_text(x) << " and " << settings_text(y);
    EXPECT_EQ(x.output, y.output) << x.name;
    ASSERT_EQ(x.weights.size(), y.weights.size()) << x.name;
    for (std::size_t i = 0; i < x.weights.size(); ++i) {
      EXPECT_EQ(x.weights[i].name, y.weights[i].name);
      EXPECT_EQ(x.weights[i].shape, y.weights[i].shape);
      EXPECT_EQ(x.weights[i].initial, y.weights[i].initial);
    }
  }
}

}  // namespace actforge
