// Every glTF file of the corpus loads into a valid scene or is rejected with a sentence.

#include <chrono>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loaders/gltf/gltf.hpp"
#include "tests/corpus/gltf_corpus.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/load_model.hpp"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

struct Tally {
    int loaded = 0;
    int warned = 0;
    std::map<std::string, int> rejected; // by code
};

void check_rejection(const LoadError& error, const fs::path& file)
{
    EXPECT_FALSE(error.detail.empty()) << file;
    EXPECT_EQ(error.detail.find('\n'), std::string::npos) << file;
    EXPECT_NE(error.code, LoadErrc::internal) << file;
}

void load(const fs::path& file, Tally& tally)
{
    test::FolderSource source(file);
    const LoadResult<scene::Scene> scene = load_gltf(source, Limits());
    if (!scene) {
        check_rejection(scene.error(), file);
        ++tally.rejected[std::string(to_string(scene.error().code))];
        if (std::getenv("VITRINE_VERBOSE") != nullptr)
            fmt::print("rejected {}: {} at {}: {}\n", file.string(), to_string(scene.error().code),
                       scene.error().where, scene.error().detail);
        return;
    }
    test::expect_valid(*scene, file.string());
    ++tally.loaded;
    tally.warned += !scene->warnings.empty();
    if (std::getenv("VITRINE_VERBOSE") != nullptr)
        for (const auto& warning : scene->warnings)
            fmt::print("warned {}: {} at {}: {}\n", file.string(), warning.code, warning.where,
                       warning.message);
}

void report(const std::string& set, const Tally& tally)
{
    fmt::print("{:28} {:4} loaded, {:3} of them with warnings; rejected", set, tally.loaded, tally.warned);
    for (const auto& [code, count] : tally.rejected)
        fmt::print(" {} {}", count, code);
    fmt::print("{}\n", tally.rejected.empty() ? " none" : "");
}

// Returns how many load.
int load_all(const fs::path& folder, const std::string& set)
{
    Tally tally;
    for (const fs::path& file : test::gltf_files(folder))
        load(file, tally);
    if (tally.loaded + static_cast<int>(tally.rejected.size()) > 0) report(set, tally);
    return tally.loaded;
}

TEST(CorpusGltf, EveryFileLoadsOrIsRejectedWithAReason)
{
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus: set VITRINE_CORPUS";
    int loaded = 0;
    for (const auto& entry : fs::directory_iterator(*corpus))
        if (entry.is_directory()) loaded += load_all(entry.path(), entry.path().filename());
    EXPECT_GE(loaded, 475);
}

TEST(CorpusGltf, AssimpTestModels)
{
    const fs::path models = "/usr/share/assimp/models";
    if (!fs::is_directory(models)) GTEST_SKIP() << "Debian's assimp-testmodels is not installed";
    EXPECT_GE(load_all(models, "assimp-testmodels"), 40);
}

} // namespace
} // namespace vitrine
