#include "actforge/data/idx_dataset.h"

#include "actforge/data/data_files.h"
#include "actforge/data/idx.h"

namespace actforge {

ImageSet load_idx(const Dataset& row, Part part) {
  const std::vector<std::string> paths = find_part(row, part);
  const IdxExpected expected{
      .count = row.count(part), .height = row.shape.height, .width = row.shape.width, .classes = row.classes()};
  const auto images = [&] { return read_data_file(paths[0], expected.image_file_size()); };
  const auto labels = [&] { return read_data_file(paths[1], expected.label_file_size()); };
  return {.shape = row.shape,
          .max_value = row.max_value,
          .classes = row.classes(),
          .pixels = parse_idx_images(images(), expected, paths[0]),
          .labels = parse_idx_labels(labels(), expected, paths[1])};
}

}  // namespace actforge
