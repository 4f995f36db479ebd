#pragma once

#include "actforge/data/source/source.h"

namespace actforge {

// Every format of files, each from its own file. A new one is a file, a line here and a line in source.cpp. The first
// one that knows a path reads it.
extern const SourceFormat kTableSource;         // one CSV or TSV file
extern const SourceFormat kTableFolderSource;   // train.csv, test.csv, ...
extern const SourceFormat kNumpyArchiveSource;  // .npz
extern const SourceFormat kNumpyFolderSource;   // x_train.npy, y_train.npy, ...
extern const SourceFormat kSafetensorsSource;
extern const SourceFormat kIdxSource;
extern const SourceFormat kCifarSource;
extern const SourceFormat kImageFolderSource;

}  // namespace actforge
