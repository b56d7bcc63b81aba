// Ranges of files that a server has in an object store and not on its machine.

#include <csignal>

#include <fmt/format.h>

#include "server/services/s3/s3_client.hpp"
#include "server/util/sha256.hpp"
#include "tests/integration/http_support.hpp"
#include "tests/integration/s3/object_store.hpp"

namespace vitrine::test {
namespace {

// A large file with an asset, on a server that has lost its copies.
class S3Ranges : public ObjectStoreTest {
protected:
    void SetUp() override
    {
        ObjectStoreTest::SetUp();
        if (IsSkipped()) return;
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<char>(i * 7 >> 8);
        start();
        asset = import_asset(server->port(), {koi_glb(), {"notes.bin", bytes}});
        ASSERT_NE(asset, "");
        server->signal(SIGTERM);
        EXPECT_EQ(server->wait(), 0);
        std::filesystem::remove_all(copies());
        start();
    }

    void start()
    {
        server = std::make_unique<ServerProcess>(folder.path() / "data", store->flags(prefix()));
        ASSERT_NE(server->port(), 0);
    }
    static std::string prefix()
    {
        return std::string("ranges/") + ::testing::UnitTest::GetInstance()->current_test_info()->name();
    }
    std::filesystem::path copies() const { return folder.path() / "data/blob-cache"; }
    std::uint64_t copied_bytes() const
    {
        std::uint64_t sum = 0;
        for (const auto& entry : std::filesystem::directory_iterator(copies()))
            sum += entry.file_size();
        return sum;
    }
    Reply part(const std::string& name, const std::string& range) const
    {
        return get(server->port(), "/v1/assets/" + asset + "/files/" + name, {{"Range", "bytes=" + range}});
    }

    std::string bytes = std::string((20u << 20) + 7, '\0'), asset;
    std::unique_ptr<ServerProcess> server;
};

TEST_F(S3Ranges, OfALargeFileAreReadWithoutTheRest)
{
    struct Case {
        std::string range;
        std::size_t offset, length;
    };
    for (const auto& [range, offset, length] :
         {Case{"16777000-16778000", 16777000, 1001}, Case{"-5", bytes.size() - 5, 5},
          Case{"0-9437183", 0, 9u << 20}}) {
        const auto reply = part("notes.bin", range);
        EXPECT_EQ(reply.status, 206) << range;
        EXPECT_TRUE(reply.body == bytes.substr(offset, length)) << range;
        EXPECT_EQ(reply.header("content-range"),
                  fmt::format("bytes {}-{}/{}", offset, offset + length - 1, bytes.size()));
        EXPECT_EQ(reply.header("etag"), '"' + server::sha256_hex(bytes) + '"');
        EXPECT_EQ(reply.header("content-type"), "application/octet-stream");
    }
    EXPECT_EQ(copied_bytes(), 0u);
    EXPECT_EQ(part("koi.glb", "4-7").body, koi_glb().bytes.substr(4, 4));
    EXPECT_EQ(copied_bytes(), koi_glb().bytes.size()) << "small ones are kept whole";
    EXPECT_TRUE(part("notes.bin", "5-").body == bytes.substr(5)) << "nearly all of it";
    EXPECT_GT(copied_bytes(), bytes.size());
}

TEST_F(S3Ranges, OfADamagedObjectAreRejected)
{
    prometheus::Registry registry;
    server::S3Client client(store->options(prefix()), registry);
    const auto key = "blobs/" + server::sha256_hex(bytes);
    client.put_text(key, "cut off");
    const auto damaged = part("notes.bin", "0-9");
    EXPECT_EQ(damaged.status, 503) << damaged.body;
    EXPECT_EQ(text_at(damaged.json(), "/code"), "blob_corrupt");
    client.put_text(key, bytes);
    EXPECT_EQ(part("notes.bin", "0-9").body, bytes.substr(0, 10)) << "of the whole, which has its hash";
    EXPECT_EQ(copied_bytes(), bytes.size());
}

} // namespace
} // namespace vitrine::test
