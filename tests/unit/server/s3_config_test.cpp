// What --print-config says about the keys of the object store.

#include <algorithm>
#include <fstream>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "server/config.hpp"
#include "tests/support/temp_dir.hpp"

namespace vitrine::server {
namespace {

Config config_with_keys(std::vector<std::string> words)
{
    Config config;
    CLI::App app;
    declare_config(app, config);
    std::ranges::reverse(words); // CLI11 requires reverse order
    app.parse(words);
    return config;
}

std::string printed_credentials(const Config& config)
{
    const auto printed = boost::json::parse(print_config(config));
    return std::string(printed.at_pointer("/storage/s3Credentials").as_string());
}

TEST(S3Config, SaysWhereTheKeysComeFrom)
{
    EXPECT_EQ(printed_credentials(config_with_keys({})), "none");
    EXPECT_EQ(printed_credentials(config_with_keys({"--blobs", "s3://a/b"})), "environment");
    EXPECT_EQ(printed_credentials(config_with_keys({"--blobs", "s3://a/b", "--s3-credentials", "/run/keys"})),
              "file");
}

TEST(S3Config, DoesNotPrintTheKeys)
{
    const test::TempDir folder;
    const auto file = folder.path() / "keys";
    std::ofstream(file) << "aws_access_key_id = sesame-id\naws_secret_access_key = sesame-secret\n";
    auto config = config_with_keys({"--open", "--gpu", "software", "--data", folder.path() / "data",
                                    "--blobs", "s3://a/b", "--s3-credentials", file});
    EXPECT_TRUE(finish_config(config));
    ASSERT_TRUE(config.s3);
    EXPECT_EQ(printed_credentials(config), "file");
    EXPECT_EQ(print_config(config).find("sesame"), std::string::npos);
}

} // namespace
} // namespace vitrine::server
