// Derived cache, scene store.

#include <array>
#include <filesystem>
#include <fstream>
#include <latch>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "api/resources.hpp"
#include "loaders/scene/blob.hpp"
#include "server/services/storage/checked_file.hpp"
#include "server/services/storage/derived_cache.hpp"
#include "tests/support/blob.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/unit/server/services/support/fakes.hpp"

namespace vitrine::server::testing {
namespace {

namespace fs = std::filesystem;

class Derived : public ServicesTest {
protected:
    static DerivedKey key(const std::string& parameters) { return {"source", "render", parameters, 1}; }
    static std::vector<std::byte> filled(std::size_t bytes)
    {
        return std::vector<std::byte>(bytes, std::byte{7});
    }

    prometheus::Registry registry;
    Metrics metrics{registry};
    fs::path place = folder() / "derived";
};

TEST_F(Derived, ReturnsStoredBytes)
{
    DerivedCache cache(place, 1 << 20, metrics);
    EXPECT_FALSE(cache.find(key("a")));
    EXPECT_TRUE(cache.store(key("a"), bytes_of("picture")));
    EXPECT_EQ(text_of(*cache.find(key("a"))), "picture");
    EXPECT_FALSE(cache.find({"source", "render", "a", 2})) << "another version of the code";
    EXPECT_EQ(metrics.derived_hits.Value(), 1.0);
    EXPECT_EQ(metrics.derived_misses.Value(), 2.0);
    EXPECT_EQ(text_of(*DerivedCache(place, 1 << 20, metrics).find(key("a"))), "picture") << "after a restart";
}

TEST_F(Derived, EvictsTheLeastRecentlyUsed)
{
    DerivedCache cache(place, 10'000, metrics);
    for (const char* name : {"a", "b", "c"})
        cache.store(key(name), filled(3'000));
    cache.find(key("a"));
    cache.store(key("d"), filled(3'000));
    EXPECT_TRUE(cache.find(key("a")));
    EXPECT_FALSE(cache.find(key("b")));
    EXPECT_TRUE(cache.find(key("d")));
    EXPECT_LE(metrics.derived_bytes.Value(), 10'000.0);
    std::uintmax_t stored = 0;
    for (const auto& entry : fs::recursive_directory_iterator(place))
        if (entry.is_regular_file()) stored += entry.file_size();
    EXPECT_EQ(metrics.derived_bytes.Value(), static_cast<double>(stored));
    EXPECT_GE(metrics.derived_evictions.Value(), 1.0);
}

TEST_F(Derived, MayBeDeletedAtAnyTime)
{
    DerivedCache cache(place, 1 << 20, metrics);
    cache.store(key("a"), bytes_of("picture"));
    fs::remove_all(place);
    EXPECT_FALSE(cache.find(key("a")));
    EXPECT_EQ(metrics.derived_bytes.Value(), 0.0);
    EXPECT_TRUE(cache.store(key("a"), bytes_of("again")));
    EXPECT_EQ(text_of(*cache.find(key("a"))), "again");
}

TEST_F(Derived, TreatsATornFileAsAbsent)
{
    DerivedCache cache(place, 1 << 20, metrics);
    cache.store(key("a"), filled(1'000));
    const auto digest = key("a").digest();
    const auto path = place / digest.substr(0, 2) / digest;
    for (const std::uint64_t size : {900u, 10u, 0u}) {
        fs::resize_file(path, size);
        EXPECT_FALSE(cache.find(key("a"))) << size;
    }
    fs::resize_file(path, 1'016); // the right length, but zeros
    EXPECT_FALSE(cache.find(key("a")));
}

TEST_F(Derived, TreatsADamagedFileAsAbsent)
{
    DerivedCache cache(place, 1 << 20, metrics);
    cache.store(key("a"), bytes_of("picture"));
    const auto digest = key("a").digest();
    const auto path = place / digest.substr(0, 2) / digest;
    const std::string good = test::read_file(path);
    for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
        auto damaged = good;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
        std::ofstream(path, std::ios::binary) << damaged;
        ASSERT_FALSE(cache.find(key("a"))) << bit;
    }
}

TEST_F(Derived, ChecksAnOpenedFileOnceWhileItIsUnchanged)
{
    DerivedCache cache(place, 1 << 20, metrics);
    cache.store(key("a"), bytes_of("picture"));
    ASSERT_TRUE(cache.open(key("a")));
    const auto digest = key("a").digest();
    const auto path = place / digest.substr(0, 2) / digest;
    const auto written = fs::last_write_time(path);
    std::fstream(path, std::ios::binary | std::ios::in | std::ios::out) << "P";
    fs::last_write_time(path, written); // the change cannot be seen without reading
    const auto unread = cache.open(key("a"));
    ASSERT_TRUE(unread);
    EXPECT_EQ(unread->size_bytes, 7u);
    fs::last_write_time(path, written + std::chrono::seconds(1));
    EXPECT_FALSE(cache.open(key("a")));
    EXPECT_FALSE(DerivedCache(place, 1 << 20, metrics).open(key("a"))) << "after a restart";
}

TEST_F(Derived, KeepsTheOrderOfUseOverARestart)
{
    {
        DerivedCache cache(place, 10'000, metrics);
        for (const char* name : {"a", "b", "c"}) {
            cache.store(key(name), filled(2'500));
            const auto digest = key(name).digest();
            const std::array<timespec, 2> long_ago{timespec{1'000'000'000 - name[0], 0},
                                                   timespec{0, UTIME_OMIT}};
            ASSERT_EQ(
                ::utimensat(AT_FDCWD, (place / digest.substr(0, 2) / digest).c_str(), long_ago.data(), 0), 0);
        }
        cache.open(key("a"));
    }
    DerivedCache cache(place, 10'000, metrics);
    cache.store(key("d"), filled(2'500));
    EXPECT_TRUE(cache.find(key("a")));
    EXPECT_TRUE(cache.find(key("b")));
    EXPECT_FALSE(cache.find(key("c")));
}

TEST_F(Derived, RemovesTemporaryFiles)
{
    fs::create_directories(place / "ab");
    std::ofstream(place / "ab/derived_x.part") << "half";
    DerivedCache cache(place, 1 << 20, metrics);
    EXPECT_EQ(files_under(place), 0u);
}

class Scenes : public WholeServicesTest {
protected:
    // An imported asset, without running the importer.
    AssetRecord ready(const std::string& name)
    {
        const auto asset = catalog.create_assets(std::vector{asset_named(name)}).front().asset;
        const auto lease = catalog.claim_job("me", std::chrono::seconds(9)).value();
        catalog.record_metadata(lease, {{.format = "obj", .counts = {.clips = 1}, .summary = "{}"}, {}, {}});
        return catalog.succeed(lease)->asset;
    }
    fs::path cached_file() const
    {
        for (const auto& entry : fs::recursive_directory_iterator(folder() / "derived"))
            if (entry.is_regular_file()) return entry.path();
        return {};
    }
    SceneStore store(std::uint64_t limit)
    {
        return SceneStore(catalog, *blobs, derived, config().load_scene, limit, metrics);
    }
    NewAsset asset_named(const std::string& name)
    {
        return {name, name + ".obj", {{name + ".obj", put_blob(*blobs, bytes_of(name)).hash, name.size()}}};
    }

    Metrics metrics{registry};
    Catalog catalog{with_tables(folder() / "catalog.sqlite")};
    std::unique_ptr<BlobStore> blobs = make_file_blob_store(folder());
    DerivedCache derived{folder() / "derived", 1 << 30, metrics};
};

TEST_F(Scenes, AreLoadedOnceAndShared)
{
    auto scenes = store(1 << 30);
    const auto asset = ready("bar");
    const auto first = scenes.load(asset).value();
    EXPECT_EQ(first, scenes.load(asset).value());
    EXPECT_EQ(loader.loads, 1);
    EXPECT_EQ(metrics.scene_hits.Value(), 1.0);
    EXPECT_EQ(metrics.scene_bytes.Value(), static_cast<double>(memory_bytes(*first)));
}

TEST_F(Scenes, ComeFromTheDerivedCacheAfterARestart)
{
    const auto asset = ready("bar");
    ASSERT_TRUE(store(1 << 30).load(asset));
    ASSERT_TRUE(store(1 << 30).load(asset));
    EXPECT_EQ(loader.loads, 1);
    fs::remove_all(folder() / "derived");
    EXPECT_EQ(store(1 << 30).load(asset).value()->nodes.size(), test::skinned_bar().nodes.size());
    EXPECT_EQ(loader.loads, 2) << "and from the originals when that is gone";
}

// Its file is complete, but nothing that this version reads.
TEST_F(Scenes, AreLoadedAgainIfTheCachedOneIsNotReadable)
{
    const auto asset = ready("bar");
    ASSERT_TRUE(store(1 << 30).load(asset));
    auto blob = test::encode_blob(test::skinned_bar());
    blob[8] = std::byte{scene::blob_version - 1};
    int loads = 1;
    for (const auto& content : {text_of(bytes_of("not a scene")), text_of(blob)}) {
        const auto path = cached_file();
        fs::remove(path);
        ASSERT_TRUE(write_checked(path, [&](const ContentSink& sink) -> Result<void> {
            sink(content);
            return {};
        }));
        EXPECT_EQ(store(1 << 30).load(asset).value()->nodes.size(), test::skinned_bar().nodes.size());
        EXPECT_EQ(loader.loads, ++loads);
    }
    ASSERT_TRUE(store(1 << 30).load(asset));
    EXPECT_EQ(loader.loads, loads) << "it was stored again";
}

// As a loader returned them (loaders/scene/flat_meshes.hpp).
TEST_F(Scenes, WithFlatMeshesAreKept)
{
    auto flat = test::textured_cube();
    for (auto& mesh : flat.meshes) {
        mesh.normals.clear();
        mesh.tangents.clear();
    }
    int loads = 0;
    const auto load = [&](const auto&, const auto&, const auto&) -> LoadResult<scene::Scene> {
        ++loads;
        return flat;
    };
    const auto asset = ready("cube");
    for (int i = 0; i < 2; ++i) {
        const auto scene = SceneStore(catalog, *blobs, derived, load, 1 << 30, metrics).load(asset);
        ASSERT_TRUE(scene);
        EXPECT_TRUE(test::same(**scene, flat));
    }
    EXPECT_EQ(loads, 1) << "the second is that of the derived cache";
}

TEST_F(Scenes, LoadOnceForManyThreads)
{
    auto scenes = store(1 << 30);
    const auto asset = ready("bar");
    std::vector<std::jthread> threads;
    for (int i = 0; i < 16; ++i)
        threads.emplace_back([&] { EXPECT_TRUE(scenes.load(asset)); });
    threads.clear();
    EXPECT_EQ(loader.loads, 1);
}

TEST_F(Scenes, AreEvictedWhenMemoryIsFull)
{
    auto scenes = store(1);
    const auto bar = ready("bar"), cube = ready("cube");
    (void)scenes.load(bar);
    (void)scenes.load(cube);
    (void)scenes.load(cube);
    EXPECT_EQ(metrics.scene_hits.Value(), 1.0) << "the newest stays";
    (void)scenes.load(bar);
    EXPECT_EQ(metrics.scene_misses.Value(), 3.0);
}

TEST_F(Scenes, ReportWhyThereIsNone)
{
    auto scenes = store(1 << 30);
    const auto importing = catalog.create_assets(std::vector{asset_named("bar")}).front().asset;
    EXPECT_EQ(scenes.load(importing).error().code, "not_imported");
    EXPECT_EQ(scenes.load(importing).error().kind, Errc::not_ready) << "a later request succeeds";
    const auto failed =
        catalog.fail(catalog.claim_job("me", std::chrono::seconds(9)).value(), {"x", "line 3", "y"});
    const auto rejection = scenes.load(failed->asset).error();
    EXPECT_EQ(rejection.code, "import_failed");
    EXPECT_EQ(rejection.kind, Errc::conflict);
    EXPECT_TRUE(rejection.detail.starts_with("The import failed: ")) << rejection.detail;
    EXPECT_EQ(rejection.where, "line 3");
    const auto bad = ready("bad");
    EXPECT_EQ(scenes.load(bad).error().where, "byte 9");
}

} // namespace
} // namespace vitrine::server::testing
