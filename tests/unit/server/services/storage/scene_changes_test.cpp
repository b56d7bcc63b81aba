// The hashes of assets whose Scene a request changes.

#include "server/services/storage/scene_changes.hpp"

#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

AssetRecord asset_of(char digit)
{
    AssetRecord asset;
    asset.id = std::string("as_") + digit;
    asset.name = "model";
    asset.source_hash = asset.content_hash = std::string(64, digit);
    return asset;
}

AssetRecord lineup_of(std::vector<LineupAsset> assets, scene::LineupSizes sizes = scene::LineupSizes::actual)
{
    auto base = assets.front().asset;
    return with_changes({.base = std::move(base), .lineup = {std::move(assets), sizes}});
}

TEST(SceneChanges, HashesOfALineupDependOnAllThatItShows)
{
    const auto a = asset_of('a'), b = asset_of('b');
    const auto both = lineup_of({{a}, {b}});
    EXPECT_EQ(both.content_hash, lineup_of({{a}, {b}}).content_hash);
    auto renamed = b;
    renamed.name = "other";
    for (const auto& other :
         {lineup_of({{b}, {a}}), lineup_of({{a}, {b}, {b}}), lineup_of({{a, 0}, {b}}),
          lineup_of({{a, scene::none, 0}, {b}}), lineup_of({{a}, {b}}, scene::LineupSizes::equal),
          lineup_of({{a}, {renamed}}),
          lineup_of({{a}, {with_changes({.base = b, .skinning = scene::SkinningMethod::linear})}}), a}) {
        EXPECT_NE(other.content_hash, both.content_hash);
        EXPECT_NE(other.source_hash, both.source_hash);
    }
}

TEST(SceneChanges, ALineupIsQuarantinedByItsAssets)
{
    const auto a = asset_of('a'), b = asset_of('b');
    const auto group = [](const AssetRecord& asset) {
        return std::string(quarantine_group(asset.content_hash));
    };
    const auto both = group(lineup_of({{a}, {b}}));
    EXPECT_EQ(group(lineup_of({{a, 1}, {b}, {b, scene::none, 3}}, scene::LineupSizes::equal)), both)
        << "however it is drawn";
    EXPECT_EQ(group(lineup_of({{b}, {a}})), both);
    EXPECT_EQ(group(lineup_of({{a}, {a}})), group(a)) << "nothing else is drawn";
    EXPECT_NE(both, group(a));
    EXPECT_NE(both, group(lineup_of({{a}, {asset_of('c')}})));
}

TEST(SceneChanges, AQuarantineGroupNamesItsAssets)
{
    const auto group = [](const AssetRecord& asset) {
        return std::string(quarantine_group(asset.content_hash));
    };
    const auto a = asset_of('a'), b = asset_of('b'), c = asset_of('c');
    const auto holding = with_changes({.base = a, .attached = {{b, {}}}});
    const auto both = group(holding), all = group(lineup_of({{holding}, {c}}));
    EXPECT_EQ(group(a), std::string(quarantine_group_length, 'a'));
    EXPECT_EQ(group(with_changes({.base = holding, .skinning = scene::SkinningMethod::linear})), both);
    for (const auto& member : {a, b}) {
        EXPECT_TRUE(has_member(group(member), group(member)));
        EXPECT_TRUE(has_member(both, group(member)));
        EXPECT_TRUE(has_member(all, group(member)));
    }
    EXPECT_TRUE(has_member(all, group(c)));
    EXPECT_FALSE(has_member(both, group(c)));
    EXPECT_FALSE(has_member(group(a), group(b)));
    EXPECT_FALSE(has_member("model 1", "model 2")) << "no more than the group itself";
    EXPECT_TRUE(has_member(both, both));
}

TEST(SceneChanges, ALineupHasNoClipsOfUsers)
{
    auto a = asset_of('a');
    a.user_clips = "some";
    EXPECT_EQ(lineup_of({{a}, {asset_of('b')}}).user_clips, "");
}

} // namespace
} // namespace vitrine::server
