#include "loaders/io/input.hpp"

#include <gtest/gtest.h>

// Textures of real models: one of 8192 x 8192, sixteen of 4096 x 4096.
TEST(Limits, AllowTypicalTextures)
{
    const vitrine::Limits limits;
    EXPECT_EQ(limits.image_pixels, 67'108'864u);
    EXPECT_EQ(limits.total_pixels, 268'435'456u);
}
