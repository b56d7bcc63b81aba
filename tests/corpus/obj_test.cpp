// Every OBJ of the corpus and of Debian's assimp-testmodels loads with the counts that a counter of lines
// finds, or is rejected with one sentence.

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "loaders/io/text/text_reader.hpp"
#include "loaders/obj/obj.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace fs = std::filesystem;
using namespace vitrine;

namespace {

struct Counts {
    std::size_t vertices = 0;
    std::size_t faces = 0;
};

// Written apart from the loader: joins continued lines, then looks at first words.
Counts count_lines(const std::string& bytes)
{
    std::string storage;
    std::string text(io::as_text(std::as_bytes(std::span(bytes.data(), bytes.size())), storage));
    std::string plain;
    bool comment = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '#') comment = true;
        const bool end = text[i] == '\n' || text[i] == '\r';
        const bool joins = text[i] == '\\' && !comment && i + 1 < text.size() &&
                           (text[i + 1] == '\n' || text[i + 1] == '\r');
        if (joins) i += text.compare(i + 1, 2, "\r\n") == 0 ? 2 : 1;
        plain += joins ? ' ' : end ? '\n' : text[i];
        if (end) comment = false;
    }
    Counts counts;
    std::istringstream lines(plain);
    for (std::string line; std::getline(lines, line);) {
        std::string word, more;
        std::istringstream words(line);
        words >> word >> more;
        counts.vertices += word == "v" && !more.empty();
        counts.faces += word == "f";
    }
    return counts;
}

struct Tally {
    std::size_t loaded = 0;
    std::size_t rejected = 0;
};

void load_one(const fs::path& file, Tally& tally)
{
    auto source = test::MemorySource::folder_of(file);
    const auto loaded = load_obj(source, {});
    if (!loaded) {
        ++tally.rejected;
        EXPECT_FALSE(loaded.error().detail.empty()) << file;
        EXPECT_FALSE(loaded.error().detail.contains('\n')) << file;
        std::printf("rejected %s: %s %s\n", file.c_str(), loaded.error().where.c_str(),
                    loaded.error().detail.c_str());
        return;
    }
    ++tally.loaded;
    test::expect_valid(*loaded, file.string());
    const Counts counts = count_lines(test::read_file(file));
    EXPECT_EQ(loaded->source_vertices, counts.vertices) << file;
    EXPECT_EQ(loaded->source_polygons, counts.faces) << file;
    EXPECT_EQ(scene::static_bounds(*loaded).empty(), counts.vertices == 0)
        << file; // a file of materials alone
    for (const auto& warning : loaded->warnings) {
        std::printf("%s: %s %s: %s\n", file.filename().c_str(), warning.code.c_str(), warning.where.c_str(),
                    warning.message.c_str());
    }
}

Tally load_all(const fs::path& folder)
{
    Tally tally;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file() && entry.path().extension() == ".obj") load_one(entry.path(), tally);
    }
    std::printf("%zu loaded, %zu rejected\n", tally.loaded, tally.rejected);
    return tally;
}

} // namespace

TEST(CorpusObj, EveryFileLoadsWithItsCountsOrIsRejected)
{
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus here";
    const Tally tally = load_all(*corpus);
    EXPECT_GE(tally.loaded, 180u);
}

TEST(CorpusObj, AssimpsTestModels)
{
    const fs::path folder = "/usr/share/assimp/models";
    if (!fs::is_directory(folder)) GTEST_SKIP() << "assimp-testmodels is not installed";
    const Tally tally = load_all(folder);
    EXPECT_GE(tally.loaded, 20u);
}
