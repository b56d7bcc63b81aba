// What --print-config says about the keys of the object store.

#include <fstream>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "tests/support/temp_dir.hpp"
#include "tests/unit/server/parsed_config.hpp"

namespace vitrine::server {
namespace {

std::string printed_credentials(const Config& config)
{
    const auto printed = boost::json::parse(print_config(config));
    return std::string(printed.at_pointer("/storage/s3Credentials").as_string());
}

TEST(S3Config, SaysWhereTheKeysComeFrom)
{
    EXPECT_EQ(printed_credentials(parsed_config({})), "none");
    EXPECT_EQ(printed_credentials(parsed_config({"--blobs", "s3://a/b"})), "environment");
    EXPECT_EQ(printed_credentials(parsed_config({"--blobs", "s3://a/b", "--s3-credentials", "/run/keys"})),
              "file");
}

TEST(S3Config, DoesNotPrintTheKeys)
{
    const test::TempDir folder;
    const auto file = folder.path() / "keys";
    std::ofstream(file) << "aws_access_key_id = sesame-id\naws_secret_access_key = sesame-secret\n";
    auto config = parsed_config({"--open", "--gpu", "software", "--data", folder.path() / "data", "--blobs",
                                 "s3://a/b", "--s3-credentials", file});
    EXPECT_TRUE(finish_config(config));
    ASSERT_TRUE(config.s3);
    EXPECT_EQ(printed_credentials(config), "file");
    EXPECT_EQ(print_config(config).find("sesame"), std::string::npos);
}

} // namespace
} // namespace vitrine::server
