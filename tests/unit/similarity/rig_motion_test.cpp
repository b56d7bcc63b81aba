// Rigs and motions of the samples in all formats, renamed, scaled and changed.

#include <gtest/gtest.h>

#include "tests/support/load_sample.hpp"
#include "tests/support/sample_files.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/similarity/similar_set.hpp"

namespace vitrine::scene {
namespace {

Scene sample(std::string_view name, std::string_view extension)
{
    const auto& all = samples::all_samples();
    const auto found = std::ranges::find(all, name, &samples::Sample::name);
    for (const auto& file : test::formats_of(*found))
        if (file.main_name.ends_with(extension)) return *test::load_sample(file);
    ADD_FAILURE() << name << extension;
    return {};
}

bool share_bucket(const RigLikeness& a, const RigLikeness& b)
{
    const auto in_a = buckets_of(a), in_b = buckets_of(b);
    return std::ranges::any_of(in_a,
                               [&](auto bucket) { return std::ranges::find(in_b, bucket) != in_b.end(); });
}

bool is_near(const MotionSignature& a, const MotionSignature& b)
{
    const auto near = buckets_near(a);
    return std::ranges::find(near, bucket_of(b)) != near.end();
}

// A chain of joints along Y with a clip that turns the second one.
Scene chain(std::initializer_list<float> lengths, const std::string& prefix = "", float degrees = 90.0f)
{
    Scene scene;
    scene.format = "made";
    for (std::uint32_t i = 0; const float length : lengths) {
        scene.nodes.push_back(
            {.name = prefix + "joint" + std::to_string(i), .parent = i == 0 ? none : i - 1});
        scene.nodes.back().local.translation = {0, length, 0};
        ++i;
    }
    scene.skins.push_back({.name = "skin", .joints = {}, .inverse_bind = {}});
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
        scene.skins[0].joints.push_back(i);
        scene.skins[0].inverse_bind.emplace_back(1.0f);
    }
    Channel turn{.node = 1, .path = Path::rotation};
    turn.times = std::vector<float>{0.0f, 0.25f, 1.0f};
    std::vector<float> values;
    for (const float part : {0.0f, 0.2f, 1.0f}) {
        const auto q = glm::angleAxis(glm::radians(part * degrees), glm::vec3(0, 0, 1));
        values.insert(values.end(), {q.x, q.y, q.z, q.w});
    }
    turn.values = std::move(values);
    scene.clips.push_back({.name = "turn", .duration = 1.0, .frame_rate = 30.0});
    scene.clips[0].channels.push_back(std::move(turn));
    return scene;
}

TEST(RigLikeness, IsTheSameInEveryFormat)
{
    const auto robot = *rig_likeness(sample("robot", ".glb"));
    for (const auto* extension : {".gltf", ".fbx", ".dae"}) {
        const auto other = rig_likeness(sample("robot", extension));
        ASSERT_TRUE(other) << extension;
        EXPECT_TRUE(share_bucket(robot, *other)) << extension;
        const auto match = compare(robot, *other);
        ASSERT_TRUE(match) << extension;
        EXPECT_GT(match->score, 0.95) << extension;
        EXPECT_TRUE(match->has_same_names);
    }
    const auto koi = *rig_likeness(sample("koi", ".glb"));
    EXPECT_FALSE(compare(robot, koi));
    EXPECT_FALSE(rig_likeness(sample("vase", ".obj")));
}

TEST(RigLikeness, SizesAndNamespacesDoNotCount)
{
    const auto rig = *rig_likeness(chain({0, 1, 2, 1.5f, 1}));
    const auto scaled = *rig_likeness(chain({0, 2.5f, 5, 3.75f, 2.5f}, "Rig:"));
    EXPECT_TRUE(share_bucket(rig, scaled));
    EXPECT_NEAR(compare(rig, scaled)->score, 1.0, 1e-5);

    const auto renamed = compare(rig, *rig_likeness(chain({0, 1, 2, 1.5f, 1}, "bone_")));
    ASSERT_TRUE(renamed);
    EXPECT_FALSE(renamed->has_same_names);
    EXPECT_NEAR(renamed->score, 0.9, 1e-5);
    EXPECT_TRUE(share_bucket(rig, *rig_likeness(chain({0, 1, 2, 1.5f, 1}, "bone_"))));

    const auto longer = compare(rig, *rig_likeness(chain({0, 1, 4, 1.5f, 1})));
    ASSERT_TRUE(longer);
    EXPECT_GT(longer->proportions, 0.1);
    EXPECT_FALSE(compare(rig, *rig_likeness(chain({0, 1, 4, 1.5f, 1}, "bone_"))))
        << "other names and lengths";
    EXPECT_FALSE(compare(rig, *rig_likeness(chain({0, 1, 2}, "bone_")))) << "another hierarchy";
}

TEST(RigLikeness, JointsMoreOrLess)
{
    const auto rig = *rig_likeness(sample("robot", ".glb"));
    auto fewer = rig;
    fewer.joints.erase(fewer.joints.begin(), fewer.joints.begin() + 3);
    const auto match = compare(rig, fewer);
    ASSERT_TRUE(match);
    EXPECT_EQ(match->shared, rig.joints.size() - 3);
    EXPECT_NEAR(match->score, static_cast<double>(match->shared) / static_cast<double>(rig.joints.size()),
                1e-6);
}

TEST(MotionSignature, IsTheSameInEveryFormat)
{
    const auto robot = sample("robot", ".glb");
    const auto motions = motion_signatures(robot);
    ASSERT_EQ(motions.size(), robot.clips.size());
    for (const auto* extension : {".fbx", ".dae", ".md5mesh"}) {
        const auto other = sample("robot", extension);
        const auto theirs = motion_signatures(other);
        for (std::size_t a = 0; a < motions.size(); ++a)
            for (std::size_t b = 0; b < theirs.size(); ++b) {
                ASSERT_TRUE(motions[a] && theirs[b]);
                const bool same =
                    other.clips[b].name.ends_with(robot.clips[a].name); // "robot_walk" of robot_walk.md5anim
                EXPECT_EQ(compare(*motions[a], *theirs[b]).has_value(), same)
                    << extension << " " << robot.clips[a].name << " " << other.clips[b].name;
                if (same) EXPECT_TRUE(is_near(*motions[a], *theirs[b])) << extension;
            }
    }
}

TEST(MotionSignature, DoesNotDependOnTheSizeOfTheRig)
{
    const auto turn = *motion_signatures(chain({0, 1, 2}))[0];
    const auto other = *motion_signatures(chain({0, 7, 3, 1}, "bone_"))[0];
    EXPECT_NEAR(*compare(turn, other), 1.0, 1e-6);
    EXPECT_NEAR(turn.path, glm::radians(90.0), 1e-3);
    EXPECT_EQ(turn.moving, 1u);
    EXPECT_FALSE(compare(turn, *motion_signatures(chain({0, 1, 2}, "", 45.0f))[0])) << "turns half as far";
    auto slower = chain({0, 1, 2});
    slower.clips[0].duration = 1.5;
    EXPECT_FALSE(compare(turn, *motion_signatures(slower)[0]));
    auto still = chain({0, 1, 2}, "", 0.0f);
    EXPECT_FALSE(motion_signatures(still)[0]);
    EXPECT_FALSE(motion_signatures(test::morphing_quad())[0]) << "no node moves";
}

TEST(MotionSignature, OfNodesThatMoveWithoutTurning)
{
    const auto sliding = [](float length) {
        auto scene = chain({0, 1, 2});
        auto& channel = scene.clips[0].channels[0];
        channel.path = Path::translation;
        channel.values = std::vector<float>{0, 0, 0, 0.3f * length, 0, 0, length, 0, 0};
        return *motion_signatures(scene)[0];
    };
    EXPECT_EQ(sliding(1.0f).path, 0.0);
    EXPECT_NEAR(*compare(sliding(1.0f), sliding(40.0f)), 1.0, 1e-3);
    EXPECT_FALSE(compare(sliding(1.0f), *motion_signatures(chain({0, 1, 2}))[0]));
}

TEST(SignatureTexts, ReadBack)
{
    const auto robot = sample("robot", ".glb");
    const auto surface = *surface_signature(robot);
    const auto read = parse_surface_signature(to_text(surface));
    ASSERT_TRUE(read);
    EXPECT_EQ(to_text(*read), to_text(surface));
    EXPECT_EQ(bucket_of(*read), bucket_of(surface));
    EXPECT_GT(compare(surface, *read)->score, 0.9999);
    const auto rig = *rig_likeness(robot);
    EXPECT_NEAR(compare(rig, *parse_rig_likeness(to_text(rig)))->score, 1.0, 1e-5);
    const auto motion = *motion_signatures(robot)[0];
    EXPECT_NEAR(*compare(motion, *parse_motion_signature(to_text(motion))), 1.0, 1e-4);
    for (const std::string& text : std::vector<std::string>{
             "", "x", "1", "1 2 3", "nan", to_text(surface) + " 1", to_text(surface) + "x"}) {
        EXPECT_FALSE(parse_surface_signature(text)) << text;
        EXPECT_FALSE(parse_motion_signature(text)) << text;
    }
    for (const std::string& text :
         std::vector<std::string>{"", "x", "1", "1 2", "1 nan 3", "-1 2 3", "1 2 3 4"})
        EXPECT_FALSE(parse_rig_likeness(text)) << text;
}

} // namespace
} // namespace vitrine::scene
