#include "loaders/io/shared_parts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using vitrine::io::find_shared_parts;

TEST(SharedParts, OfAPlayerBelongToItsLegs)
{
    EXPECT_THAT(find_shared_parts({"a/Head.MD3", "a/lower.md3", "a/upper.md3", "a/upper.txt"}),
                ElementsAre(Pair("a/Head.MD3", "a/lower.md3"), Pair("a/upper.md3", "a/lower.md3")));
    EXPECT_THAT(find_shared_parts({"head.md3", "upper.md3"}), ElementsAre(Pair("head.md3", "upper.md3")));
    EXPECT_THAT(find_shared_parts({"head.md3", "lower.md3"}), IsEmpty());
    EXPECT_THAT(find_shared_parts({"a/lower.md3", "b/upper.md3"}), IsEmpty());
}

TEST(SharedParts, WeaponBelongsToThePlayerWithoutOtherModels)
{
    EXPECT_THAT(find_shared_parts({"gun.md3", "lower.md3", "upper.md3"}),
                ElementsAre(Pair("gun.md3", "lower.md3"), Pair("upper.md3", "lower.md3")));
    EXPECT_THAT(find_shared_parts({"gun.md3", "hat.md3", "lower.md3", "upper.md3"}),
                ElementsAre(Pair("upper.md3", "lower.md3")));
    EXPECT_THAT(find_shared_parts({"hat.md3", "lower.md3", "upper.md3", "weapon.md3"}),
                ElementsAre(Pair("upper.md3", "lower.md3"), Pair("weapon.md3", "lower.md3")));
    EXPECT_THAT(find_shared_parts({"gun.md3", "hat.md3"}), IsEmpty());
}

TEST(SharedParts, LevelsOfDetailBelongToTheirModel)
{
    EXPECT_THAT(find_shared_parts({"tree.md3", "tree_1.md3", "tree_2.md3"}),
                ElementsAre(Pair("tree_1.md3", "tree.md3"), Pair("tree_2.md3", "tree.md3")));
    EXPECT_THAT(find_shared_parts({"lower.md3", "upper.md3", "upper_1.md3"}),
                ElementsAre(Pair("upper.md3", "lower.md3"), Pair("upper_1.md3", "lower.md3")));
    EXPECT_THAT(find_shared_parts({"x.md3", "x_1.md3", "x_1_2.md3"}),
                ElementsAre(Pair("x_1.md3", "x.md3"), Pair("x_1_2.md3", "x.md3")));
    EXPECT_THAT(find_shared_parts({"tree_1.md3", "tree_2.md3", "rock.md3"}), IsEmpty());
}

TEST(SharedParts, HandlesQuake2)
{
    EXPECT_THAT(find_shared_parts({"m/tris.md2", "m/w_bfg.md2", "m/weapon.md2"}),
                ElementsAre(Pair("m/weapon.md2", "m/tris.md2")));
    EXPECT_THAT(find_shared_parts({"hero.md2", "Weapon.md2"}), ElementsAre(Pair("Weapon.md2", "hero.md2")));
    EXPECT_THAT(find_shared_parts({"a.md2", "b.md2", "weapon.md2"}), IsEmpty());
    EXPECT_THAT(find_shared_parts({"weapon.md2"}), IsEmpty());
}
