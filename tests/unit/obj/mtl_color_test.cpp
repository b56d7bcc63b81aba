#include "loaders/base/srgb.hpp"
#include "tests/unit/obj/mtl_samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

TEST(ObjMtlColor, ColorsBeyondOne)
{
    const auto bright = load_material("Kd 255 0.5 0");
    EXPECT_EQ(glm::vec3(bright.material.base_color), glm::vec3(1, linear_from_srgb(0.5f), 0));
    EXPECT_EQ(codes(bright.scene), "mtl_number");
    EXPECT_EQ(codes(load_material("Kd 1.0001 0.5 0").scene), "");
    EXPECT_EQ(codes(load_material("Ke 2 0 0").scene), "") << "Ke above 1 is kept";
}

// CIE XYZ of the white D65 and of sRGB's green.
TEST(ObjMtlColor, ColorsAsXyz)
{
    const auto color = [](const std::string& xyz) {
        const auto loaded = load_material("Kd xyz " + xyz);
        EXPECT_EQ(codes(loaded.scene), "");
        return glm::vec3(loaded.material.base_color);
    };
    const auto white = color("0.9505 1 1.089"), green = color("0.1788 0.3576 0.0596");
    for (const float part : {white.x, white.y, white.z})
        EXPECT_NEAR(part, 1.0f, 1e-3f);
    EXPECT_NEAR(green.x, 0.0f, 1e-3f);
    EXPECT_NEAR(green.y, 0.5f, 1e-3f);
    EXPECT_NEAR(green.z, 0.0f, 1e-3f);
    EXPECT_EQ(codes(load_material("Kd xyz red").scene), "mtl_number");
    EXPECT_EQ(codes(load_material("Kd spectral a.rfl").scene), "mtl_number");
}
