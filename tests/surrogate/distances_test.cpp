#include "actforge/surrogate/distances.h"

#include <gtest/gtest.h>
