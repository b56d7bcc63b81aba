// Ingest: from the parts of an upload to assets, and the blobs of both.

#include "loaders/base/stop.hpp"
#include "server/services/importing/asset_grouping.hpp"
#include "tests/unit/server/services/importing/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

TEST_F(ImportTest, SeveralModelsCreateSeveralAssets)
{
    const auto services = make();
    const auto created = services->ingest.ingest(
        {part(*services, "kit/a.obj"), part(*services, "kit/a.mtl"), part(*services, "kit/b.obj"),
         part(*services, "kit/b.mtl"), part(*services, "kit/tex/wood.png"), part(*services, "readme.txt")});
    ASSERT_TRUE(created) << created.error().detail;
    ASSERT_EQ(created->size(), 2u);
    EXPECT_THAT(file_names(*services, created->at(0)),
                ElementsAre("kit/a.mtl", "kit/a.obj", "kit/tex/wood.png", "readme.txt"));
    EXPECT_THAT(file_names(*services, created->at(1)),
                ElementsAre("kit/b.mtl", "kit/b.obj", "kit/tex/wood.png", "readme.txt"));
    EXPECT_EQ(created->at(0).asset.name, "a");
}

TEST_F(ImportTest, RecognizesAKnownModelAmongOthers)
{
    const auto services = make();
    const auto first = upload(*services, "bar.obj");
    const auto created = services->ingest.ingest({part(*services, "bar.obj", "content of bar.obj"),
                                                  part(*services, "cube.obj"), part(*services, "readme.txt"),
                                                  part(*services, "LICENSE")});
    ASSERT_TRUE(created) << created.error().detail;
    ASSERT_EQ(created->size(), 2u);
    EXPECT_TRUE(created->at(0).existing);
    EXPECT_EQ(created->at(0).asset.id, first.asset.id);
    EXPECT_FALSE(created->at(1).existing);
    EXPECT_THAT(file_names(*services, created->at(1)), ElementsAre("LICENSE", "cube.obj", "readme.txt"));
}

TEST_F(ImportTest, ImageChangesTheIdentityOfAModel)
{
    const auto services = make();
    upload(*services, "bar.obj");
    const auto created = services->ingest.ingest({part(*services, "bar.obj", "content of bar.obj"),
                                                  part(*services, "cube.obj"), part(*services, "wood.PNG")});
    ASSERT_EQ(created->size(), 2u);
    EXPECT_FALSE(created->at(0).existing) << "its material may name the picture";
}

TEST_F(ImportTest, ModelsOfOtherFoldersKeepTheirCompanions)
{
    const auto services = make();
    const auto created =
        services->ingest.ingest({part(*services, "imp/imp.md5mesh"), part(*services, "imp/walk.md5anim"),
                                 part(*services, "hog/hog.md5mesh"), part(*services, "hog/walk.md5anim"),
                                 part(*services, "hog/skin.tga")});
    ASSERT_EQ(created->size(), 2u);
    for (const auto& item : *created) {
        const auto names = file_names(*services, item);
        const auto other = item.asset.name == "imp" ? "hog/walk.md5anim" : "imp/walk.md5anim";
        EXPECT_EQ(std::ranges::find(names, other), names.end());
        EXPECT_NE(std::ranges::find(names, item.asset.name + "/walk.md5anim"), names.end());
        EXPECT_NE(std::ranges::find(names, "hog/skin.tga"), names.end()) << "images may be shared";
    }
}

// Grouping as by the loader process: "walk" and "run" contain only animation.
std::vector<worker::ModelGroup> groups_of(const std::vector<worker::BundleFile>& files)
{
    std::vector<std::string> models;
    std::vector<std::uint32_t> animations;
    for (const auto& file : files) {
        EXPECT_TRUE(std::filesystem::exists(file.path)) << "the loader process opens it there";
        if (!file.name.ends_with(".glb")) continue;
        if (file.name.ends_with("walk.glb") || file.name.ends_with("run.glb"))
            animations.push_back(static_cast<std::uint32_t>(models.size()));
        models.push_back(file.name);
    }
    return worker::group_models(models, animations);
}

TEST_F(ImportTest, CharacterAndAnimationsCreateOneAsset)
{
    const auto services = make();
    Ingest ingest(services->catalog, *services->blobs, {nullptr, groups_of, nullptr}, folder() / "data/tmp",
                  {});
    const auto one = ingest.ingest({part(*services, "imp/imp.glb"), part(*services, "imp/walk.glb"),
                                    part(*services, "imp/moves/run.glb"), part(*services, "readme.txt")});
    ASSERT_EQ(one->size(), 1u);
    EXPECT_EQ(one->front().asset.main_file, "imp/imp.glb");
    EXPECT_THAT(file_names(*services, one->front()),
                ElementsAre("imp/imp.glb", "imp/moves/run.glb", "imp/walk.glb", "readme.txt"));

    const auto two = ingest.ingest({part(*services, "imp/imp.glb"), part(*services, "imp/walk.glb"),
                                    part(*services, "hog/hog.glb"), part(*services, "hog/run.glb")});
    ASSERT_EQ(two->size(), 2u);
    EXPECT_THAT(file_names(*services, two->at(0)), ElementsAre("hog/hog.glb", "hog/run.glb"));
    EXPECT_THAT(file_names(*services, two->at(1)), ElementsAre("imp/imp.glb", "imp/walk.glb"));
}

// Each file is compared with each model without linear searches.
TEST(NewAssets, GroupManyModels)
{
    std::vector<FileRecord> files;
    std::vector<worker::ModelGroup> groups;
    for (int i = 0; i < 1'000; ++i) {
        const auto folder = "crate" + std::to_string(i) + "/";
        for (const auto* name : {"crate.glb", "crate.bin", "notes.txt"}) {
            files.emplace_back();
            files.back().name = folder + name;
        }
        groups.push_back({.main = folder + "crate.glb", .animations = {}, .parts = {}});
    }
    const auto assets = make_new_assets(files, groups);
    ASSERT_EQ(assets.size(), 1'000u);
    ASSERT_EQ(assets[7].files.size(), 2u);
    EXPECT_EQ(assets[7].files[1].name, "crate7/crate.bin");
    ASSERT_EQ(assets[7].attached.size(), 1u);
    EXPECT_EQ(assets[7].attached[0].name, "crate7/notes.txt");
}

TEST_F(ImportTest, QuakePlayerIsOneAssetNamedByItsFolder)
{
    const auto services = make();
    Ingest ingest(services->catalog, *services->blobs,
                  {nullptr, [](const auto& files) { return worker::find_models(files, {}); }, nullptr},
                  folder() / "data/tmp", {});
    const auto created = ingest.ingest(
        {part(*services, "players/sarge/lower.md3"), part(*services, "players/sarge/upper.md3"),
         part(*services, "players/sarge/head.md3"), part(*services, "players/sarge/animation.cfg"),
         part(*services, "props/tree.md3"), part(*services, "props/tree_1.md3")});
    ASSERT_EQ(created->size(), 2u);
    EXPECT_EQ(created->at(0).asset.name, "sarge");
    EXPECT_THAT(file_names(*services, created->at(0)),
                ElementsAre("players/sarge/animation.cfg", "players/sarge/head.md3",
                            "players/sarge/lower.md3", "players/sarge/upper.md3"));
    EXPECT_EQ(created->at(1).asset.name, "tree");
    EXPECT_THAT(file_names(*services, created->at(1)), ElementsAre("props/tree.md3", "props/tree_1.md3"));
}

TEST_F(ImportTest, FoldersDistinguishFilesOfOneName)
{
    const auto services = make();
    const auto created = services->ingest.ingest(
        {part(*services, "game/imp/mesh.md5mesh"), part(*services, "game/hog/mesh.md5mesh"),
         part(*services, "game/hog/mesh.obj"), part(*services, "mesh.md5mesh")});
    ASSERT_EQ(created->size(), 4u);
    std::vector<std::string> names;
    for (const auto& item : *created)
        names.push_back(item.asset.name);
    EXPECT_THAT(names, testing::UnorderedElementsAre("imp mesh", "hog mesh", "mesh", "mesh"));
}

TEST_F(ImportTest, RecognizesARepeatedUpload)
{
    const auto services = make();
    EXPECT_FALSE(upload(*services, "bar.obj").existing);
    EXPECT_TRUE(upload(*services, "bar.obj").existing);
    EXPECT_EQ(services->catalog.asset_count(), 1u);
}

TEST_F(ImportTest, RejectsInvalidUploads)
{
    const auto services = make();
    const auto rejected = [&](std::vector<FileRecord> parts) {
        const auto answer = services->ingest.ingest(std::move(parts));
        EXPECT_FALSE(answer);
        return answer.error().code;
    };
    EXPECT_EQ(rejected({part(*services, "readme.txt")}), "no_model");
    EXPECT_EQ(rejected({}), "no_model");
    EXPECT_EQ(rejected({part(*services, "../../etc/a.obj")}), "bad_name");
    EXPECT_EQ(rejected({part(*services, "a.obj", "1"), part(*services, "./a.obj", "2")}), "duplicate_name");
    EXPECT_EQ(services->catalog.asset_count(), 0u);
    EXPECT_TRUE(services->ingest.ingest({part(*services, "a.obj", "1"), part(*services, ".\\a.obj", "1")}));
}

TEST_F(ImportTest, RejectsUploadsAboveTheLimits)
{
    auto made = config();
    made.ingest = {.max_files = 3, .max_models = 2, .max_queued = 1};
    Services services(made, registry);
    std::vector<FileRecord> parts;
    for (const char* name : {"a.obj", "b.obj", "c.obj"})
        parts.push_back(part(services, name));
    EXPECT_EQ(services.ingest.ingest(parts).error().kind, Errc::too_large) << "three models";
    parts.push_back(part(services, "d.png"));
    EXPECT_EQ(services.ingest.ingest(parts).error().kind, Errc::too_large) << "four files";
    upload(services, "bar.obj");
    const auto full = services.ingest.ingest({part(services, "cube.obj")});
    EXPECT_EQ(full.error().code, "import_queue_full");
    EXPECT_GT(full.error().retry_after_s, 0u);
}

TEST_F(ImportTest, UnpacksZips)
{
    const auto services = make();
    const auto unpack = [](const std::filesystem::path& zip,
                           const std::filesystem::path& to) -> LoadResult<std::vector<worker::BundleFile>> {
        if (std::filesystem::file_size(zip) < 9) return vitrine::fail(LoadErrc::malformed, {}, "no zip");
        std::ofstream(to / "bar.obj") << "v";
        return std::vector<worker::BundleFile>{{"deep/bar.obj", to / "bar.obj"}};
    };
    Ingest ingest(services->catalog, *services->blobs, loader_with(unpack), folder() / "data/tmp", {});
    const auto one = ingest.ingest({part(*services, "kit.zip", "long enough")});
    EXPECT_EQ(one->front().asset.main_file, "deep/bar.obj");
    for (const auto* name : {"pak0.pk3", "GAME.PK4"})
        EXPECT_TRUE(ingest.ingest({part(*services, name, "long enough")})) << name;
    const auto two =
        ingest.ingest({part(*services, "kit.zip", "long enough"), part(*services, "more.ZIP", "and this")});
    EXPECT_EQ(two.error().code, "malformed");
    EXPECT_EQ(two.error().where, "more.ZIP");
    EXPECT_TRUE(std::filesystem::is_empty(folder() / "data/tmp")) << "the scratch folder is gone";
}

TEST_F(ImportTest, UnpacksNoFurtherZipAfterAStopOrAboveTheLimit)
{
    const auto services = make();
    int unpacked = 0;
    const auto unpack = [&](const std::filesystem::path&,
                            const std::filesystem::path& to) -> LoadResult<std::vector<worker::BundleFile>> {
        const auto name = std::to_string(++unpacked) + ".obj";
        std::ofstream(to / name) << "v";
        return std::vector<worker::BundleFile>{{"a" + name, to / name}, {"b" + name, to / name}};
    };
    Ingest ingest(services->catalog, *services->blobs, loader_with(unpack), folder() / "data/tmp",
                  {.max_files = 3});
    const std::vector zips{part(*services, "a.zip"), part(*services, "b.zip"), part(*services, "c.zip")};
    EXPECT_EQ(ingest.find_assets(zips).error().code, "limit_exceeded");
    EXPECT_EQ(unpacked, 2);
    std::stop_source source;
    source.request_stop();
    const StopScope scope(source.get_token());
    EXPECT_THROW((void)ingest.find_assets(zips), Stopped);
    EXPECT_EQ(unpacked, 2);
}

TEST_F(ImportTest, ImportsSamplesOnlyIntoAnEmptyCatalog)
{
    const auto services = make();
    const auto samples = folder() / "samples";
    std::filesystem::create_directories(samples / "robot");
    std::ofstream(samples / "robot/bar.obj") << "1";
    std::ofstream(samples / "robot/bar.mtl") << "2";
    std::ofstream(samples / "cube.obj") << "3";
    EXPECT_EQ(import_samples(*services, samples), 2u);
    EXPECT_EQ(import_samples(*services, samples), 0u);
    EXPECT_EQ(services->catalog.asset_count(), 2u);
}

TEST_F(ImportTest, SecondServerIsRejected)
{
    const auto services = make();
    prometheus::Registry second;
    EXPECT_THROW(Services(config(), second), StorageError);
}

TEST(Wire, AssetsHaveTheMembersOfTheApiDocument)
{
    AssetRecord asset;
    asset.id = "asset_1";
    asset.created = 1'700'000'000'123'000;
    auto json = to_json(asset);
    EXPECT_EQ(json.at("createdAt"), "2023-11-14T22:13:20.123Z");
    EXPECT_TRUE(json.at("format").is_null());
    EXPECT_FALSE(json.contains("counts"));
    EXPECT_EQ(json.at("links").at("thumbnail"), "/v1/assets/asset_1/thumbnail");
    asset.format = "md5";
    asset.summary = R"({"bounds":{"min":[0,0,0],"max":[1,1,1]},"warnings":2})";
    json = to_json(asset);
    EXPECT_EQ(json.at("warnings").to_number<int>(), 2);
    EXPECT_EQ(json.at("counts").at("joints").to_number<int>(), 0);
}

} // namespace
} // namespace vitrine::server::testing
