// Assets that are like another one, on both databases.

#include <gmock/gmock.h>

#include "server/services/scene_queries/scene_queries.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class CatalogSimilarTest : public CatalogTest {
protected:
    AssetRecord add_with(const std::string& name, std::vector<SimilarityKey> keys)
    {
        add(name);
        return import(std::move(keys));
    }
    AssetRecord import(std::vector<SimilarityKey> keys)
    {
        const auto lease = catalog.claim_job("me", std::chrono::seconds(10)).value();
        Metadata found;
        found.format = "obj";
        found.summary = R"({"warnings":0})";
        found.similarity = std::move(keys);
        catalog.record_metadata(lease, found);
        return catalog.succeed(lease)->asset;
    }
    std::vector<std::string> found(SimilarityKind kind, std::vector<std::int64_t> buckets,
                                   std::size_t limit = 10)
    {
        std::vector<std::string> names;
        for (const auto& row : catalog.find_similar(kind, std::move(buckets), "", limit).rows)
            names.push_back(row.name + ":" + row.signature);
        return names;
    }
    static SimilarityKey mesh(std::int64_t bucket, std::string text = "m")
    {
        return {.kind = SimilarityKind::mesh, .bucket = bucket, .signature = std::move(text)};
    }
    static SimilarityKey surface_of(float height)
    {
        auto scene = test::textured_cube();
        for (auto& p : scene.meshes[0].positions)
            p.y *= height;
        const auto signature = *scene::surface_signature(scene);
        return mesh(scene::bucket_of(signature), scene::to_text(signature));
    }
    std::vector<std::string> like(const AssetRecord& asset, const SimilarQuery& query)
    {
        std::vector<std::string> names;
        for (const auto& item : find_similar(catalog, asset, query)->items)
            names.push_back(item.name + ": " + item.reason);
        return names;
    }
};

TEST_F(CatalogSimilarTest, AreFoundByBuckets)
{
    const auto a = add_with("a", {mesh(1)});
    add_with("b", {mesh(1LL << 60, "other")});
    add_with("rig", {{.kind = SimilarityKind::rig, .part = 0, .bucket = 1, .signature = "r"},
                     {.kind = SimilarityKind::rig, .part = 1, .bucket = 2},
                     {.kind = SimilarityKind::rig, .part = 2, .bucket = 3}});
    EXPECT_THAT(found(SimilarityKind::mesh, {1, 2}), ElementsAre("a:m"));
    EXPECT_THAT(found(SimilarityKind::mesh, {1, 1LL << 60}), UnorderedElementsAre("a:m", "b:other"));
    EXPECT_THAT(found(SimilarityKind::mesh, {}), IsEmpty());
    EXPECT_THAT(found(SimilarityKind::rig, {2, 3}), ElementsAre("rig:r")) << "once, with its text";
    EXPECT_THAT(found(SimilarityKind::motion, {1}), IsEmpty());
    EXPECT_THAT(catalog.find_similar(SimilarityKind::mesh, {1}, a.id, 10).rows, IsEmpty());
    EXPECT_FALSE(catalog.find_similar(SimilarityKind::mesh, {1, 1LL << 60}, "", 1).is_complete);
    EXPECT_TRUE(catalog.find_similar(SimilarityKind::mesh, {1, 1LL << 60}, "", 3).is_complete);
    EXPECT_EQ(catalog.signatures(a.id, 1, SimilarityKind::mesh).at(0).signature, "m");
}

TEST_F(CatalogSimilarTest, TheTrashAndOtherVersionsAreLeftOut)
{
    const auto asset = add_with("a", {mesh(1)});
    auto content = asset_named("a2");
    ASSERT_TRUE(catalog.create_version(asset.id, {.content = content}));
    import({mesh(5, "new")});
    EXPECT_THAT(found(SimilarityKind::mesh, {1, 5}), ElementsAre("a:new"));
    ASSERT_TRUE(catalog.reimport_asset(asset.id));
    import({});
    EXPECT_THAT(found(SimilarityKind::mesh, {1, 5}), IsEmpty()) << "replaced";
    const auto b = add_with("b", {mesh(1)});
    ASSERT_TRUE(catalog.trash_asset(b.id));
    EXPECT_THAT(found(SimilarityKind::mesh, {1}), IsEmpty());
    ASSERT_TRUE(catalog.restore_asset(b.id));
    EXPECT_THAT(found(SimilarityKind::mesh, {1}), ElementsAre("b:m"));
}

TEST_F(CatalogSimilarTest, TheLimitCountsOnlyWhatIsFound)
{
    for (const char* name : {"a", "b", "c"})
        ASSERT_TRUE(catalog.trash_asset(add_with(name, {mesh(1)}).id));
    const auto old = add_with("d", {mesh(1)});
    ASSERT_TRUE(catalog.create_version(old.id, {.content = asset_named("d2")}));
    import({mesh(5)});
    add_with("e", {mesh(1)});
    const auto rows = catalog.find_similar(SimilarityKind::mesh, {1}, "", 2);
    ASSERT_EQ(rows.rows.size(), 1u);
    EXPECT_EQ(rows.rows.front().name, "e");
    EXPECT_TRUE(rows.is_complete);
    EXPECT_FALSE(catalog.find_similar(SimilarityKind::mesh, {1}, "", 1).is_complete);
}

TEST_F(CatalogSimilarTest, SurfacesAreRankedWithReasons)
{
    const auto cube = add_with("cube", {surface_of(1.0f)});
    add_with("box", {surface_of(1.1f)});
    add_with("same", {surface_of(1.0f)});
    EXPECT_THAT(like(cube, {.by = SimilarBy::mesh}), ElementsAre("same: the same surface"));
    EXPECT_THAT(like(cube, {.by = SimilarBy::rig}), IsEmpty()) << "it has no rig";
    add_with("newer", {surface_of(1.0f)});
    EXPECT_THAT(like(cube, {.by = SimilarBy::mesh, .limit = 1}), ElementsAre("newer: the same surface"));
    const auto page = find_similar(catalog, cube, {.by = SimilarBy::mesh, .limit = 1});
    EXPECT_EQ(page->next, 1u);
    EXPECT_THAT(like(cube, {.by = SimilarBy::mesh, .limit = 1, .offset = page->next}),
                ElementsAre("same: the same surface"));
    EXPECT_THAT(like(cube, {.by = SimilarBy::mesh, .min_score = 1.01}), IsEmpty());
}

TEST_F(CatalogSimilarTest, MotionsArePairsOfClips)
{
    const auto keys = [](std::initializer_list<double> paths) {
        std::vector<SimilarityKey> all;
        for (std::uint32_t clip = 0; const double path : paths) {
            scene::MotionSignature motion{.duration = 1.0, .path = path, .moving = 3, .center = 0.5};
            all.push_back({.kind = SimilarityKind::motion,
                           .part = clip,
                           .bucket = scene::bucket_of(motion),
                           .described = clip,
                           .signature = scene::to_text(motion)});
            ++clip;
        }
        return all;
    };
    const auto own = add_with("own", keys({1.0, 5.0}));
    add_with("one", keys({30.0, 5.1}));
    add_with("two", keys({5.0, 1.0, 80.0}));
    const auto page = find_similar(catalog, own, {.by = SimilarBy::motion});
    ASSERT_EQ(page->items.size(), 2u);
    EXPECT_EQ(page->items[0].name, "two");
    EXPECT_EQ(page->items[0].reason, "2 clips move alike");
    ASSERT_EQ(page->items[0].clips.size(), 2u);
    EXPECT_EQ(page->items[0].clips[0].of, 0u);
    EXPECT_EQ(page->items[0].clips[0].clip, 1u);
    EXPECT_EQ(page->items[1].reason, "a clip moves alike");
    EXPECT_LT(page->items[1].score, 1.0);
    EXPECT_THAT(like(own, {.by = SimilarBy::motion, .clip = 0}), ElementsAre("two: a clip moves alike"));
}

TEST_F(CatalogSimilarTest, FilesAreCompared)
{
    const auto files = [](std::vector<FileRecord> list) {
        NewAsset asset{list.front().blob + std::to_string(list.size()), list.front().name, std::move(list)};
        return asset;
    };
    const auto own =
        catalog.create_assets(std::vector{files({{"m.obj", "blob1", 100}, {"m.mtl", "blob2", 50}})})
            .front()
            .asset;
    catalog.create_assets(std::vector{files({{"n.obj", "blob1", 100}, {"n.mtl", "blob2", 50}})});
    catalog.create_assets(
        std::vector{files({{"o.obj", "blob1", 100}, {"o.mtl", "blob3", 100}, {"p", "blob4", 0}})});
    catalog.create_assets(std::vector{files({{"q.obj", "blob5", 100}, {"q.mtl", "blob2", 50}})});
    const auto page = find_similar(catalog, own, {.by = SimilarBy::bytes, .min_score = 0.0});
    ASSERT_EQ(page->items.size(), 2u) << "another model that shares a material is not the same";
    EXPECT_EQ(page->items[0].reason, "the same files");
    EXPECT_EQ(page->items[0].score, 1.0);
    EXPECT_EQ(page->items[1].reason, "the same model file beside others");
    EXPECT_DOUBLE_EQ(page->items[1].score, 0.4);
}

TEST_F(CatalogSimilarTest, FactsOfOlderCodeAreNotStored)
{
    const auto asset = add_with("a", {});
    EXPECT_TRUE(find_similar(catalog, asset, {}));
    auto older = asset;
    older.facts_version = 1;
    EXPECT_FALSE(find_similar(catalog, older, {}));
}

} // namespace
} // namespace vitrine::server::testing
