#include "loaders/scene/human_bone.hpp"

#include <gtest/gtest.h>

namespace vitrine::scene {
namespace {

TEST(HumanBone, NamesAreFoundAgain)
{
    for (std::size_t i = 1; i < human_bone_count; ++i) {
        const auto bone = static_cast<HumanBone>(i);
        EXPECT_FALSE(name_of(bone).empty()) << i;
        EXPECT_EQ(find_human_bone(name_of(bone)), bone) << name_of(bone);
    }
}

TEST(HumanBone, NamesFollowTheOrderOfTheEnumeration)
{
    EXPECT_EQ(name_of(HumanBone::none), "");
    EXPECT_EQ(name_of(HumanBone::jaw), "jaw");
    EXPECT_EQ(name_of(HumanBone::right_upper_arm), "rightUpperArm");
    EXPECT_EQ(name_of(HumanBone::right_little_distal), "rightLittleDistal");
}

TEST(HumanBone, UnknownNamesAreNotFound)
{
    EXPECT_EQ(find_human_bone(""), std::nullopt);
    EXPECT_EQ(find_human_bone("Hips"), std::nullopt);
}

} // namespace
} // namespace vitrine::scene
