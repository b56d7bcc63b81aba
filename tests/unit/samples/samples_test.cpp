// The sample library: each model is sound, and says the same in every format that can hold it.

#include "server/samples/samples.hpp"

#include <gtest/gtest.h>

#include "loaders/export/dae/dae_writer.hpp"
#include "loaders/export/fbx/fbx_writer.hpp"
#include "loaders/export/quake/md3_writer.hpp"
#include "loaders/export/quake/md5_writer.hpp"
#include "loaders/fbx/container/element.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/load_sample.hpp"
#include "tests/support/sample_files.hpp"
#include "tests/support/sampled_bounds.hpp"
#include "tests/unit/samples/posed_triangles.hpp"

namespace vitrine::samples {

// For GoogleTest, found by its name.
void PrintTo(const Sample& sample, std::ostream* out)
{
    *out << sample.name;
} // NOLINT(readability-identifier-naming)

} // namespace vitrine::samples

namespace {

using namespace vitrine;
using namespace vitrine::test;

std::uint32_t clip_like(const scene::Scene& scene, const std::string& name)
{
    for (std::uint32_t i = 0; i < scene.clips.size(); ++i)
        if (scene.clips[i].name.ends_with(name)) return i;
    return scene::none;
}

bool is_of_frames(const samples::SampleFile& sample)
{
    return sample.main_name.ends_with(".md2") || sample.main_name.ends_with(".md3");
}

class Samples : public testing::TestWithParam<samples::Sample> {};

std::string name_of(const testing::TestParamInfo<samples::Sample>& info)
{
    return info.param.name;
}

} // namespace

TEST_P(Samples, IsValidAndRestsOnTheGround)
{
    const auto scene = GetParam().make();
    const auto sound = scene::validate(scene);
    ASSERT_TRUE(sound) << sound.error().where << ": " << sound.error().detail;
    const auto box = scene::static_bounds(scene);
    EXPECT_GE(box.min.y, -0.01f);
    EXPECT_LT(box.min.y, 0.2f);
    EXPECT_GT(glm::length(box.size()), 0.3f);
    EXPECT_LT(glm::length(box.size()), 3.0f);
}

TEST_P(Samples, IsTheSameAtEveryRun)
{
    const auto& first = formats_of(GetParam());
    const auto second = samples::write_formats(GetParam().name, GetParam().make());
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i)
        for (std::size_t f = 0; f < first[i].files.size(); ++f)
            EXPECT_EQ(first[i].files[f].bytes, second[i].files[f].bytes) << first[i].files[f].name;
}

TEST_P(Samples, HasTheSamePoseInEveryFormat)
{
    const auto scene = GetParam().make();
    const float size = glm::length(scene::static_bounds(scene).size());
    const auto static_pose = rest(scene);
    for (const auto& sample : formats_of(GetParam())) {
        SCOPED_TRACE(sample.main_name);
        if (is_of_frames(sample)) continue; // see frames_test.cpp
        const auto loaded = test::load_sample(sample);
        ASSERT_TRUE(loaded) << loaded.error().where << ": " << loaded.error().detail;
        const auto sound = scene::validate(*loaded);
        ASSERT_TRUE(sound) << sound.error().where << ": " << sound.error().detail;
        EXPECT_LT(largest_distance(static_pose, rest(*loaded)), 1e-4f * size);
        const bool is_static = sample.main_name.ends_with(".obj") || sample.main_name.ends_with(".3ds");
        if (is_static) continue; // 3DS has no skins and no morph targets that move
        ASSERT_EQ(loaded->clips.size(), scene.clips.size());
        for (std::uint32_t clip = 0; clip < scene.clips.size(); ++clip) {
            const auto other = clip_like(*loaded, scene.clips[clip].name);
            ASSERT_NE(other, scene::none) << scene.clips[clip].name;
            EXPECT_NEAR(loaded->clips[other].duration, scene.clips[clip].duration, 1e-4);
            const bool one_rate = sample.main_name.ends_with(".fbx"); // for all clips, that of the first
            if (!one_rate || scene.clips[clip].frame_rate == scene.clips[0].frame_rate) {
                EXPECT_EQ(loaded->clips[other].frame_rate, scene.clips[clip].frame_rate);
                EXPECT_EQ(loaded->clips[other].frames, scene.clips[clip].frames);
            }
            for (const double part : {0.0, 0.13, 0.37, 0.5, 0.81, 1.0}) {
                const double time = part * scene.clips[clip].duration;
                EXPECT_LT(largest_distance(at(scene, clip, time), at(*loaded, other, time)), 1e-4f * size)
                    << scene.clips[clip].name << " at " << time;
            }
        }
    }
}

TEST_P(Samples, KeepsItsImages)
{
    const auto scene = GetParam().make();
    for (const auto& sample : formats_of(GetParam())) {
        SCOPED_TRACE(sample.main_name);
        if (sample.main_name.ends_with(".md2")) continue; // one skin for all
        const auto loaded = test::load_sample(sample);
        ASSERT_TRUE(loaded) << loaded.error().detail;
        std::size_t with_pixels = 0;
        for (const auto& image : loaded->images)
            with_pixels += image.pixels.empty() ? 0 : 1;
        EXPECT_GE(with_pixels, scene.images.size());
    }
}

// Faces of a surface that hides its back look out of the volume that they close: those seen from inside
// vanish.
TEST_P(Samples, LooksOutward)
{
    const auto scene = GetParam().make();
    for (const auto& mesh : scene.meshes)
        for (const auto& primitive : mesh.primitives) {
            if (primitive.material == scene::none || scene.materials[primitive.material].double_sided)
                continue;
            SCOPED_TRACE(scene.materials[primitive.material].name);
            const auto corner = [&](std::size_t i) {
                return mesh.positions[mesh.indices[primitive.first + i]];
            };
            float volume = 0.0f; // six times
            for (std::size_t i = 0; i + 2 < primitive.count; i += 3)
                volume += glm::dot(corner(i) - corner(0),
                                   glm::cross(corner(i + 1) - corner(0), corner(i + 2) - corner(0)));
            EXPECT_GT(volume, 0.0f);
        }
}

// Only the writers of GLB and of baked meshes keep the colors of nodes.
TEST_P(Samples, HasNoNodeColors)
{
    for (const scene::Node& node : GetParam().make().nodes)
        EXPECT_EQ(node.color, glm::vec4(1.0f)) << node.name;
}

TEST_P(Samples, IsTheSameFbxInText)
{
    const auto scene = GetParam().make();
    const float size = glm::length(scene::static_bounds(scene).size());
    const auto text = exporting::write_fbx(scene, "model", exporting::FbxContainer::text);
    const auto loaded = test::load_sample({"model", "model.fbx", text});
    ASSERT_TRUE(loaded) << loaded.error().where << ": " << loaded.error().detail;
    EXPECT_LT(largest_distance(rest(scene), rest(*loaded)), 1e-4f * size);
    ASSERT_EQ(loaded->clips.size(), scene.clips.size());
    for (std::uint32_t clip = 0; clip < scene.clips.size(); ++clip) {
        const double time = 0.37 * scene.clips[clip].duration;
        EXPECT_LT(largest_distance(at(scene, clip, time), at(*loaded, clip, time)), 1e-4f * size);
    }
}

// Without these Blender's importer stops, though names may be empty.
TEST_P(Samples, NamesTheLayersOfItsFbx)
{
    const auto file = exporting::write_fbx(GetParam().make(), "model", exporting::FbxContainer::binary).at(0);
    const auto tree = fbx::parse_elements(file.bytes, {});
    ASSERT_TRUE(tree) << tree.error().where << ": " << tree.error().detail;
    int layers = 0;
    for (const fbx::Element object : fbx::Element(&*tree, 0)["Objects"])
        for (const fbx::Element layer : object) {
            if (!layer.name().starts_with("LayerElement")) continue;
            EXPECT_TRUE(layer["Name"].exists()) << layer.name();
            ++layers;
        }
    EXPECT_GT(layers, 0);
}

// OpenCOLLADA, and so Blender, knows times and matrices by the names of their parameters.
TEST_P(Samples, NamesTheCurvesOfItsDae)
{
    const auto scene = GetParam().make();
    const auto file = exporting::write_dae(scene, "model").at(0);
    const std::string_view text(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
    const auto count = [&](std::string_view word) {
        std::size_t found = 0;
        for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1))
            ++found;
        return found;
    };
    EXPECT_EQ(count("<param name=\"TIME\" type=\"float\"/>"), count("<sampler id="));
    EXPECT_EQ(count("<param name=\"INTERPOLATION\" type=\"name\"/>"), count("<sampler id="));
    EXPECT_EQ(count("<param name=\"TRANSFORM\" type=\"float4x4\"/>"),
              count("/transform\"/></animation>") + count("<bind_shape_matrix"));
}

INSTANTIATE_TEST_SUITE_P(All, Samples, testing::ValuesIn(samples::all_samples()), name_of);

TEST(SampleRobot, FeetStayOnTheGroundWhileItWalks)
{
    const auto robot = samples::all_samples().front().make();
    const auto walk = clip_like(robot, "walk");
    ASSERT_NE(walk, scene::none);
    const auto bounds = test::sampled_bounds(robot, walk);
    for (std::size_t i = 0; i < bounds.times.size(); ++i)
        EXPECT_NEAR(bounds.exact[i].min.y, 0.0f, 0.02f) << "at " << bounds.times[i];
}
