// Files that the specification forbids and that are shown all the same: each says what is wrong with it.

#include <fmt/format.h>

#include "tests/unit/gltf/builder.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::triangle;
using test::valid;
using Floats = std::vector<float>;

// "code at place" of all warnings.
std::vector<std::string> told(const scene::Scene& scene)
{
    std::vector<std::string> out;
    for (const scene::Warning& warning : scene.warnings)
        out.push_back(warning.code + " at " + warning.where);
    return out;
}

using Told = std::vector<std::string>;

// Of a clip with one channel of node 0 from these accessors.
struct Animated {
    GltfBuilder builder = triangle();
    int times = builder.accessor<float>({0, 1}, "SCALAR"); // accessor 2
    int vectors = builder.accessor<float>({0, 0, 0, 1, 1, 1}, "VEC3");

    scene::Scene move(const std::string& path, int input, int output,
                      const std::string& interpolation = "LINEAR", int node = 0)
    {
        builder.add(
            "animations",
            fmt::format(
                R"({{"samplers":[{{"input":{},"output":{},"interpolation":"{}"}}],"channels":[{{"sampler":0,"target":{{"node":{},"path":"{}"}}}}]}})",
                input, output, interpolation, node, path));
        return valid(builder.load_glb());
    }
};

TEST(GltfInvalid, KeysOfAnotherTypeAreLeftOut)
{
    const Told left_out = {"invalid_channel at /animations/0/samplers/0", "empty_clip at /animations/0"};
    Animated turned;
    EXPECT_EQ(told(turned.move("rotation", turned.times, turned.vectors)), left_out);
    Animated moved;
    const int quaternions = moved.builder.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1}, "VEC4");
    EXPECT_EQ(told(moved.move("translation", moved.times, quaternions)), left_out);
    Animated timed;
    const int pairs = timed.builder.accessor<float>({0, 0, 1, 1}, "VEC2");
    EXPECT_EQ(told(timed.move("translation", pairs, timed.vectors)), left_out);
}

TEST(GltfInvalid, KeysOfForbiddenComponentTypes)
{
    Animated counted;
    const int whole_times = counted.builder.accessor<std::uint8_t>({0, 1}, "SCALAR");
    const scene::Scene scene = counted.move("translation", whole_times, counted.vectors);
    EXPECT_EQ(told(scene), (Told{"invalid_accessor at /animations/0/samplers/0/input"}));
    EXPECT_EQ(scene.clips.at(0).duration, 1.0);
    Animated scaled;
    const int bytes = scaled.builder.accessor<std::uint8_t>({1, 1, 1, 2, 2, 2}, "VEC3");
    EXPECT_EQ(told(scaled.move("scale", scaled.times, bytes)),
              (Told{"invalid_accessor at /animations/0/samplers/0/output"}));
    Animated turned;
    const int shorts = turned.builder.accessor<std::int16_t>({0, 0, 0, 1, 0, 0, 0, 1}, "VEC4");
    EXPECT_EQ(told(turned.move("rotation", turned.times, shorts)),
              (Told{"invalid_accessor at /animations/0/samplers/0/output"}));
}

TEST(GltfInvalid, TimesBeforeZeroAndLonelyCurves)
{
    const Told keys = {"invalid_keys at /animations/0/samplers/0"};
    Animated early;
    const int before = early.builder.accessor<float>({-1, 1}, "SCALAR");
    EXPECT_EQ(told(early.move("translation", before, early.vectors)), keys);
    Animated curved;
    const int at = curved.builder.accessor<float>({0}, "SCALAR");
    const int tangents = curved.builder.accessor<float>({0, 0, 0, 1, 1, 1, 0, 0, 0}, "VEC3");
    EXPECT_EQ(told(curved.move("translation", at, tangents, "CUBICSPLINE")), keys);
}

TEST(GltfInvalid, AMatrixIsNotToBeAnimated)
{
    Animated animated;
    animated.builder.add("nodes", R"({"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,5,0,0,1]})");
    const scene::Scene scene = animated.move("scale", animated.times, animated.vectors, "LINEAR", 1);
    EXPECT_EQ(told(scene), (Told{"animated_matrix at /nodes/1"}));
    EXPECT_EQ(scene.nodes[1].local.translation.x, 5.0f);
}

} // namespace
} // namespace vitrine
