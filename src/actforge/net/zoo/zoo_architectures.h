#pragma once

#include "actforge/net/zoo/zoo.h"

// The functions behind the rows of zoo.cpp, by file.
namespace actforge {

// mlp.cpp
LayerId build_mlp(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
// allcnn.cpp
LayerId build_allcnn_c(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
LayerId build_allcnn_mini(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
// resnet.cpp
LayerId build_resnet_v2(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
LayerId build_resnet_v2_plain(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
LayerId build_resnet_mini(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
LayerId build_resnet_mini_plain(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
// resnet_v1.cpp
LayerId build_resnet_v1(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
// resnet_imagenet.cpp
LayerId build_resnet_imagenet(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
// wrn.cpp
LayerId build_wrn(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
// densenet.cpp
LayerId build_densenet(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
// vgg.cpp
LayerId build_vgg(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
LayerId build_vgg_normalised(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
// mobilevitv2.cpp
LayerId build_mobilevitv2(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
// coatnet.cpp
LayerId build_coatnet(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
LayerId build_coatnet_plain(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
LayerId build_coatnet_0(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
// vit.cpp
LayerId build_vit_mini(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes);
// text.cpp
LayerId build_lstm_text(NetworkBuilder& net, LayerId words, const NetworkSizes& sizes);
LayerId build_cnn_text(NetworkBuilder& net, LayerId words, const NetworkSizes& sizes);

}  // namespace actforge
