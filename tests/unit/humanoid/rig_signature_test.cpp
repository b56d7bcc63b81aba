#include "loaders/scene/humanoid/rig_signature.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tests/support/humanoid/humanoid_rigs.hpp"

namespace vitrine::scene {
namespace {

using test::HumanoidRig;
using test::NamingStyle;

// A rig with a mesh, so that it is a character.
RigSignature signature_of(const HumanoidRig& rig)
{
    Scene scene = test::make_humanoid(rig);
    scene.meshes.resize(1);
    return rig_signature(scene);
}

TEST(RigSignature, IsReadAgain)
{
    const auto rig = signature_of({});
    EXPECT_EQ(rig.joints.names.size(), 22u);
    EXPECT_EQ(rig.moved.size(), 1u) << "all clips move the same joints";
    EXPECT_EQ(rig.clips.size(), test::motion_count);
    EXPECT_EQ(parse_rig_signature(to_text(rig)), rig);
    EXPECT_EQ(parse_rig_signature(to_text(RigSignature{})), RigSignature{});
}

TEST(RigSignature, RejectsOtherTexts)
{
    for (const std::string_view text :
         {"", "|", "{}", "0", "0,zz|", "0;0|2", "0,2,1|", "0,,|", "0|,", "0,1ffffffffffffffff|"})
        EXPECT_FALSE(parse_rig_signature(text)) << text;
    EXPECT_TRUE(parse_rig_signature("0,1,2;0,1|0,0"));
}

TEST(RigSignature, TheSameNamesFitBestThenTheSameBones)
{
    const auto dancer = signature_of({.names = NamingStyle::mixamo});
    const auto same =
        fit_of(signature_of({.names = NamingStyle::mixamo, .height = 1.0f}).joints, dancer.moved[0]);
    EXPECT_EQ(same.share, 1.0);
    EXPECT_FALSE(same.by_role);
    const auto other = fit_of(signature_of({.names = NamingStyle::unreal}).joints, dancer.moved[0]);
    EXPECT_EQ(other.share, 1.0);
    EXPECT_TRUE(other.by_role);
    const auto few =
        fit_of(signature_of({.names = NamingStyle::unreal, .spine_joints = 1, .has_shoulders = false}).joints,
               dancer.moved[0]);
    EXPECT_DOUBLE_EQ(few.share, 18.0 / 22.0) << "without two joints of the spine and both shoulders";
    EXPECT_TRUE(few.by_role);
}

TEST(RigSignature, AnimationsAloneAndOtherModelsAreNoCharactersOfThem)
{
    const auto dancer = signature_of({});
    const auto animation = rig_signature(test::make_humanoid({}));
    EXPECT_TRUE(animation.joints.names.empty());
    EXPECT_EQ(animation.moved, dancer.moved);
    EXPECT_EQ(fit_of(animation.joints, dancer.moved[0]).share, 0.0);
    Scene door;
    door.nodes = {{.name = "door"}, {.name = "handle", .parent = 0}};
    door.meshes.resize(1);
    EXPECT_EQ(rig_signature(door).joints.names.size(), 2u);
    EXPECT_EQ(fit_of(rig_signature(door).joints, dancer.moved[0]).share, 0.0);
}

} // namespace
} // namespace vitrine::scene
