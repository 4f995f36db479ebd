#pragma once

#include <gtest/gtest.h>

#include <string>

#include "actforge/base/error.h"

namespace actforge {

// What is said where bad input is refused; nothing where it is not. Any other error is a failure.
template <class Call>
std::string said_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    return error.what();
  }
  return {};
}

}  // namespace actforge
