#pragma once

#include <map>
#include <string>
#include <string_view>

#include "actforge/net/graph/shape.h"

namespace actforge {

// Numbers in an HDF5 file.
struct Hdf5Dataset {
  Shape shape = {};
  std::size_t offset = 0;    // of the first of its numbers, which are float32 (little-endian) and lie in one piece
  std::string problem = {};  // why they do not, or are none
};

// The datasets of a file that is all in memory, by their paths: `layers/dense/vars/0`. Read is what h5py writes by
// itself, which Keras asks for nothing else: version 0 of the file, old groups, headers of version 1. Places are
// checked: numbers lie within the file. An object that several names lead to has the first of them. Throws Error
// (kBadInput).
std::map<std::string, Hdf5Dataset> hdf5_datasets(std::string_view file);

}  // namespace actforge
