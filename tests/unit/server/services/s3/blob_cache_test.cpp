#include "server/services/s3/blob_cache.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/temp_dir.hpp"

namespace vitrine::server {
namespace {

namespace fs = std::filesystem;

class BlobCacheTest : public ::testing::Test {
protected:
    static constexpr std::uint64_t limit = 1'000;

    std::unique_ptr<BlobCache> open() { return std::make_unique<BlobCache>(folder(), limit, registry_); }
    fs::path folder() const { return scratch_.path() / "cache"; }

    // Adds a blob of 300 equal bytes.
    LocalBlob add(BlobCache& cache, char letter)
    {
        const std::string text(300, letter);
        HashedFile file(scratch_.path());
        file.write(std::as_bytes(std::span(text)));
        hashes_[letter] = file.finish();
        return cache.adopt(hashes_[letter], file);
    }

    static std::string text_at(const fs::path& path)
    {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    test::TempDir scratch_;
    prometheus::Registry registry_;
    std::map<char, std::string> hashes_;
};

TEST_F(BlobCacheTest, LeastRecentlyUsedFilesAreRemoved)
{
    const auto cache = open();
    for (const char letter : {'a', 'b', 'c'})
        add(*cache, letter);
    EXPECT_TRUE(cache->find(hashes_['a'])); // now the most recent
    add(*cache, 'd');
    EXPECT_LE(cache->size_bytes(), limit);
    EXPECT_TRUE(cache->find(hashes_['a']));
    EXPECT_FALSE(cache->find(hashes_['b']));
    EXPECT_FALSE(fs::exists(folder() / hashes_['b']));
    EXPECT_TRUE(cache->find(hashes_['d']));
}

TEST_F(BlobCacheTest, FilesInUseAreKept)
{
    const auto cache = open();
    std::vector<LocalBlob> used;
    for (char letter = 'a'; letter < 'k'; ++letter)
        used.push_back(add(*cache, letter));
    EXPECT_EQ(cache->size_bytes(), 3'000u);
    for (const auto& blob : used)
        EXPECT_EQ(fs::file_size(blob.path), 300u);
    EXPECT_TRUE(cache->is_in_use(hashes_['a']));
    used.clear();
    EXPECT_LE(cache->size_bytes(), limit);
    EXPECT_FALSE(cache->is_in_use(hashes_['j']));
}

TEST_F(BlobCacheTest, PinsOutliveTheCache)
{
    auto cache = open();
    const auto used = add(*cache, 'a');
    cache.reset();
    EXPECT_EQ(text_at(used.path), std::string(300, 'a'));
}

TEST_F(BlobCacheTest, FilesOfAnEarlierProcessAreFoundIfTheyAreUndamaged)
{
    add(*open(), 'a');
    add(*open(), 'b');
    std::ofstream(folder() / hashes_['b'], std::ios::binary)
        << std::string(300, 'x'); // torn by a power failure
    std::ofstream(folder() / "stray") << "not a blob";
    const auto cache = open();
    EXPECT_FALSE(fs::exists(folder() / "stray"));
    EXPECT_TRUE(cache->find(hashes_['a']));
    EXPECT_FALSE(cache->find(hashes_['b']));
    EXPECT_EQ(cache->size_bytes(), 300u);
    add(*cache, 'b');
    EXPECT_EQ(text_at(cache->find(hashes_['b'])->path), std::string(300, 'b'));
}

TEST_F(BlobCacheTest, DeletedFilesAreMisses)
{
    const auto cache = open();
    add(*cache, 'a');
    fs::remove(folder() / hashes_['a']);
    EXPECT_FALSE(cache->find(hashes_['a']));
    EXPECT_EQ(cache->size_bytes(), 0u);
    EXPECT_FALSE(cache->find(std::string(64, '0')));
}

} // namespace
} // namespace vitrine::server
