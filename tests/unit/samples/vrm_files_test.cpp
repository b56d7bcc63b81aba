// VRM 1.0, VRM 0.x and VRMA hold the joints, roles, triangles and facts of the description.

#include <algorithm>

#include <gtest/gtest.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "server/samples/models.hpp"
#include "tests/support/load_sample.hpp"
#include "tests/unit/samples/posed_triangles.hpp"

using namespace vitrine;

namespace {

scene::Scene load_vrm_sample(const std::string& name)
{
    const auto all = samples::write_partial_formats();
    const auto file = std::ranges::find(all, name, &samples::SampleFile::main_name);
    EXPECT_NE(file, all.end()) << name;
    if (file == all.end()) return {};
    auto loaded = test::load_sample(*file);
    EXPECT_TRUE(loaded) << name << ": " << loaded.error().where << ": " << loaded.error().detail;
    if (!loaded) return {};
    EXPECT_TRUE(scene::validate(*loaded)) << name;
    EXPECT_TRUE(loaded->warnings.empty()) << name << ": " << loaded->warnings[0].message;
    return *std::move(loaded);
}

std::map<scene::HumanBone, glm::vec3> roles(const scene::Scene& scene, const scene::Pose& pose)
{
    std::map<scene::HumanBone, glm::vec3> places;
    for (std::size_t node = 0; node < scene.nodes.size(); ++node)
        if (scene.nodes[node].human_bone != scene::HumanBone::none)
            places.emplace(scene.nodes[node].human_bone, glm::vec3(pose.model[node][3]));
    return places;
}

void expect_same_roles(const std::map<scene::HumanBone, glm::vec3>& found,
                       const std::map<scene::HumanBone, glm::vec3>& expected)
{
    EXPECT_EQ(found.size(), expected.size());
    for (const auto& [bone, place] : expected) {
        ASSERT_TRUE(found.contains(bone)) << scene::name_of(bone);
        EXPECT_LT(glm::distance(found.at(bone), place), 1e-5f) << scene::name_of(bone);
    }
}

} // namespace

TEST(VrmSamples, HoldTheCharacter)
{
    const auto avatar = samples::make_avatar();
    ASSERT_TRUE(scene::validate(avatar));
    scene::Pose expected, found;
    scene::static_pose(avatar, expected);
    const float size = glm::length(scene::static_bounds(avatar).size());
    for (const std::string name : {"avatar.vrm", "avatar0.vrm"}) {
        SCOPED_TRACE(name);
        const auto loaded = load_vrm_sample(name);
        ASSERT_TRUE(loaded.vrm);
        EXPECT_EQ(loaded.format, "vrm");
        EXPECT_EQ(loaded.file_space.axes[0].x, name == "avatar.vrm" ? 1.0f : -1.0f);
        scene::static_pose(loaded, found);
        expect_same_roles(roles(loaded, found), roles(avatar, expected));
        EXPECT_EQ(roles(loaded, found).size(), 27u);
        EXPECT_LT(test::largest_distance(test::rest(avatar), test::rest(loaded)), 1e-6f * size);
        auto facts = *loaded.vrm;
        EXPECT_EQ(facts.version, name == "avatar.vrm" ? "1.0" : "0.0");
        facts.version = avatar.vrm->version;
        EXPECT_EQ(facts, *avatar.vrm);
        EXPECT_EQ(loaded.meshes.at(0).morph_targets.size(), 2u);
    }
}

TEST(VrmSamples, HoldTheMotion)
{
    const auto motion = samples::make_avatar_motion();
    const auto loaded = load_vrm_sample("bow.vrma");
    EXPECT_EQ(loaded.format, "vrma");
    ASSERT_EQ(loaded.clips.size(), 1u);
    EXPECT_EQ(loaded.clips[0].name, "bow");
    for (double time = 0.0; time <= 2.0; time += 0.25) {
        scene::Pose expected, found;
        scene::sample_pose(motion, 0, time, expected);
        scene::sample_pose(loaded, 0, time, found);
        expect_same_roles(roles(loaded, found), roles(motion, expected));
    }
}
