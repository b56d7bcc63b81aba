// Every FBX of the corpus and of Debian's assimp-testmodels loads, or is rejected with one sentence; and the
// files that a program wrote of one model in several containers and versions say the same.

#include <filesystem>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "loaders/base/ascii.hpp"
#include "loaders/fbx/fbx.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace fs = std::filesystem;
using namespace vitrine;

namespace {

// What cannot be loaded: numbers that are none, and a file whose zeros became blanks.
const std::set<std::string> rejected{"synthetic_bad_inf_nan_fail_7500_ascii",
                                     "synthetic_bad_inf_nan_fail_7700_ascii", "transparentTest"};

std::vector<fs::path> fbx_files(const fs::path& folder)
{
    std::vector<fs::path> found;
    if (!fs::is_directory(folder)) return found;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && ascii::lower(entry.path().extension().string()) == ".fbx")
            found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
}

LoadResult<scene::Scene> load(const fs::path& path)
{
    auto source = test::MemorySource::folder_of(path);
    auto loaded = load_fbx(source, {});
    if (loaded) test::expect_valid(*loaded, path.string());
    return loaded;
}

// Returns how many load.
std::size_t load_all(const fs::path& folder)
{
    std::size_t count = 0;
    for (const auto& path : fbx_files(folder)) {
        const auto loaded = load(path);
        EXPECT_EQ(!loaded.has_value(), rejected.contains(path.stem().string()))
            << path << (loaded ? std::string() : loaded.error().where + ": " + loaded.error().detail);
        if (!loaded) EXPECT_FALSE(loaded.error().detail.contains('\n'));
        count += loaded ? 1 : 0;
    }
    return count;
}

// "maya_cube_7500_binary" -> "maya_cube_7500".
std::string without_container(std::string stem)
{
    for (const std::string ending : {"_ascii", "_binary"})
        if (const std::size_t at = stem.find(ending); at != std::string::npos) stem.erase(at, ending.size());
    return stem;
}

void expect_same(const scene::Mesh& a, const scene::Mesh& b)
{
    EXPECT_EQ(a.indices, b.indices);
    EXPECT_EQ(a.morph_targets.size(), b.morph_targets.size());
    ASSERT_EQ(a.positions.size(), b.positions.size());
    for (std::size_t v = 0; v < a.positions.size(); ++v) {
        ASSERT_LT(glm::distance(a.positions[v], b.positions[v]), 1e-5f) << v;
        ASSERT_LT(glm::distance(a.normals[v], b.normals[v]), 1e-4f) << v;
    }
}

} // namespace

TEST(FbxCorpus, LoadsOrReportsError)
{
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus";
    EXPECT_GE(load_all(*corpus), 248u);
}

TEST(FbxCorpus, LoadsAssimpsModels)
{
    const fs::path models = "/usr/share/assimp/models";
    if (!fs::is_directory(models)) GTEST_SKIP() << "assimp-testmodels is not installed";
    EXPECT_GE(load_all(models), 18u);
}

TEST(FbxCorpus, TextAndBinaryAreOneModel)
{
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus";
    std::map<std::string, std::vector<fs::path>> twins;
    for (const auto& path : fbx_files(*corpus / "ufbx"))
        twins[without_container(path.stem().string())].push_back(path);
    std::size_t pairs = 0;
    for (const auto& [name, paths] : twins) {
        if (paths.size() != 2) continue;
        SCOPED_TRACE(name);
        const auto a = load(paths[0]), b = load(paths[1]);
        if (!a || !b) continue;
        ++pairs;
        EXPECT_EQ(a->source_vertices, b->source_vertices);
        EXPECT_EQ(a->source_polygons, b->source_polygons);
        EXPECT_EQ(a->nodes.size(), b->nodes.size());
        EXPECT_EQ(a->clips.size(), b->clips.size());
        EXPECT_EQ(a->materials.size(), b->materials.size());
        // At rest they need not agree: each was written with its program standing at another frame.
        ASSERT_EQ(a->meshes.size(), b->meshes.size());
        for (std::size_t m = 0; m < a->meshes.size(); ++m)
            expect_same(a->meshes[m], b->meshes[m]);
    }
    EXPECT_GT(pairs, 20u);
}
