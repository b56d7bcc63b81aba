// --database and --blobs: the forms of their locations.

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "server/database_options.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/unit/server/parsed_config.hpp"

namespace vitrine::server {
namespace {

namespace fs = std::filesystem;

TEST(StorageOptions, DatabaseIsAFileOfSqliteOrPostgres)
{
    const test::TempDir folder;
    const auto root = fs::weakly_canonical(folder.path());
    EXPECT_EQ(database_location(""), "");
    for (const char* url : {"postgres://a@b/c", "postgresql://a,b/c?sslmode=require"})
        EXPECT_EQ(database_location(url), url);
    EXPECT_EQ(database_location("sqlite:" + (root / "new").native()), (root / "new/catalog.sqlite").native());
    EXPECT_EQ(database_location("sqlite:" + (root / "new/").native()),
              (root / "new/catalog.sqlite").native());
    for (const char* name : {"a.sqlite", "a.sqlite3", "a.db"})
        EXPECT_EQ(database_location("sqlite:" + (root / name).native()), (root / name).native());
    fs::create_directories(root / "folder.db");
    EXPECT_EQ(database_location("sqlite:" + (root / "folder.db").native()),
              (root / "folder.db/catalog.sqlite").native());
    std::ofstream(root / "plain") << "x";
    EXPECT_EQ(database_location("sqlite:" + (root / "plain").native()), (root / "plain").native());
    EXPECT_EQ(database_location("sqlite:a.db"), (fs::weakly_canonical(fs::current_path()) / "a.db").native());
    for (const char* wrong : {"sqlite:", "sqlite", "sqlite://host/a.db", "mysql://a/b", "/srv/a.sqlite", "x"})
        EXPECT_FALSE(database_location(wrong)) << wrong;
}

// With keys in the environment.
Config with_blobs(const std::string& blobs, std::vector<std::string> others = {})
{
    ::setenv("AWS_ACCESS_KEY_ID", "id", 1);         // NOLINT(concurrency-mt-unsafe)
    ::setenv("AWS_SECRET_ACCESS_KEY", "secret", 1); // NOLINT(concurrency-mt-unsafe)
    others.insert(others.end(), {"--blobs", blobs, "--open", "--gpu", "software"});
    return parsed_config(std::move(others));
}

std::string blobs_error(const std::string& blobs, std::vector<std::string> others = {})
{
    auto config = with_blobs(blobs, std::move(others));
    const auto finished = finish_config(config);
    return finished ? "" : finished.error();
}

TEST(StorageOptions, BlobsNameTheirStoreInTheLocation)
{
    auto config = with_blobs("s3://models/team?endpoint=http://127.0.0.1:9000&region=eu&path-style=1");
    ASSERT_TRUE(finish_config(config)) << blobs_error(config.blobs.s3.location);
    ASSERT_TRUE(config.s3);
    EXPECT_EQ(config.s3->store.bucket, "models");
    EXPECT_EQ(config.s3->store.prefix, "team/");
    EXPECT_EQ(config.s3->store.url(), "http://127.0.0.1:9000");
    EXPECT_EQ(config.s3->store.region, "eu");
    EXPECT_TRUE(config.s3->store.path_style);
    ASSERT_TRUE(config.shared_derived && config.shared_derived->s3) << "derived files in the same store";
    EXPECT_EQ(config.shared_derived->s3->host, "127.0.0.1:9000");
    auto other = with_blobs("s3://models?endpoint=http%3A%2F%2F127.0.0.1%3A9000&path-style=0",
                            {"--derived", "s3://derived"});
    ASSERT_TRUE(finish_config(other)) << blobs_error(other.blobs.s3.location);
    EXPECT_FALSE(other.s3->store.path_style);
    EXPECT_EQ(other.shared_derived->s3->host, "127.0.0.1:9000") << "the endpoint of --blobs";
    EXPECT_EQ(blobs_error("s3://a?endpoint=http://b", {"--s3-endpoint", "http://b"}), "");
}

TEST(StorageOptions, WrongParametersOfBlobsAreNamed)
{
    EXPECT_TRUE(blobs_error("s3://a?endpoint=nonsense").contains("http[s]://HOST[:PORT]"));
    EXPECT_TRUE(blobs_error("s3://a?endpint=http://b").contains("unknown parameter \"endpint\""));
    EXPECT_TRUE(blobs_error("s3://a?path-style=yes").contains("path-style must be 1 or 0"));
    EXPECT_TRUE(blobs_error("s3://a?region=%GG").contains("percent-encoded"));
    EXPECT_TRUE(
        blobs_error("s3://a?endpoint=http://b", {"--s3-endpoint", "http://c"}).contains("another option"));
    EXPECT_TRUE(blobs_error("file:").contains("--blobs must be"));
    EXPECT_TRUE(blobs_error("ftp://a").contains("--blobs must be"));
}

TEST(StorageOptions, BlobsMayBeInAnotherFolder)
{
    const test::TempDir folder;
    const auto root = fs::weakly_canonical(folder.path());
    auto config = with_blobs("file:" + (root / "big/").native(), {"--data", (root / "data").native()});
    ASSERT_TRUE(finish_config(config));
    EXPECT_FALSE(config.s3);
    EXPECT_EQ(config.blob_folder, root / "big");
    auto same = with_blobs("file:" + (root / "data").native(), {"--data", (root / "data/").native()});
    ASSERT_TRUE(finish_config(same));
    EXPECT_TRUE(same.blob_folder.empty());
}

} // namespace
} // namespace vitrine::server
