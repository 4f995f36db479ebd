#pragma once

#include "actforge/net/zoo/zoo.h"

// The functions behind the rows of zoo.cpp, by file.
namespace actforge {

// zoo_mlp.cpp
LayerId build_mlp(NetworkBuilder& net, LayerId image, std::int64_t classes, const NameNumbers& numbers);
// allcnn.cpp
LayerId build_allcnn_c(NetworkBuilder& net, LayerId image, std::int64_t classes, const NameNumbers& numbers);
LayerId build_allcnn_mini(NetworkBuilder& net, LayerId image, std::int64_t classes, const NameNumbers& numbers);
// resnet.cpp
LayerId build_resnet_v2(NetworkBuilder& net, LayerId image, std::int64_t classes, const NameNumbers& numbers);
LayerId build_resnet_v2_plain(NetworkBuilder& net, LayerId image, std::int64_t classes, const NameNumbers& numbers);
LayerId build_resnet_mini_plain(NetworkBuilder& net, LayerId image, std::int64_t classes, const NameNumbers& numbers);
LayerId build_resnet_mini(NetworkBuilder& net, LayerId image, std::int64_t classes, const NameNumbers& numbers);
// zoo_vit.cpp
LayerId build_vit_mini(NetworkBuilder& net, LayerId image, std::int64_t classes, const NameNumbers& numbers);

}  // namespace actforge
