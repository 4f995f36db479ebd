#pragma once

#include "actforge/keras/build.h"
#include "actforge/keras/file.h"

namespace actforge {

struct KerasFile::Body {
  KerasJson json;
  KerasModel model;
  Network network;
  std::vector<KerasOrigin> origins;  // of the network's layers
  std::vector<std::string> notes;
  std::string archive;  // the whole file, where it is one
};

// Inserts a Rescaling after each of these calls, which adds the number. Throws Error (kBadInput).
struct KerasShift {
  KerasOutputEntry after;
  double offset = 0;
};
void insert_keras_shifts(KerasJson& file, const std::vector<KerasShift>& shifts);

}  // namespace actforge
