#include "server/services/s3/s3_options.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/support/temp_dir.hpp"

namespace vitrine::server {
namespace {

class S3OptionsTest : public ::testing::Test {
protected:
    S3OptionsTest()
        : file_(folder_.write("keys", "[default]\naws_access_key_id = ID\r\n"
                                      "aws_secret_access_key=SE=CRET\n[other]\n"
                                      "aws_secret_access_key=OTHER\n"))
    {
    }

    S3Settings settings(const std::string& location, const std::string& endpoint = "http://127.0.0.1:9000")
    {
        return {.location = location, .endpoint = endpoint, .region = "eu-west-9", .credentials = file_};
    }
    // Returns the error, or an empty text.
    static std::string error_of(const S3Settings& settings)
    {
        const auto options = make_s3_options(settings);
        return options ? "" : options.error();
    }

    test::TempDir folder_;
    std::filesystem::path file_;
};

TEST_F(S3OptionsTest, LocationNamesBucketAndPrefix)
{
    const auto options = make_s3_options(settings("s3://models/a/b/")).value();
    EXPECT_EQ(options.bucket, "models");
    EXPECT_EQ(options.prefix, "a/b/");
    EXPECT_EQ(options.host, "127.0.0.1:9000");
    EXPECT_EQ(options.scheme, "http");
    EXPECT_EQ(options.region, "eu-west-9");
    EXPECT_TRUE(options.path_style);
    EXPECT_EQ(make_s3_options(settings("s3://models"))->prefix, "");
    for (const char* wrong : {"s3://", "s3:///a", "s3://a b", "s3://models/../x", "s3://models//x",
                              "s3://models/a?b", "s3://.models", "s3://models/./x"})
        EXPECT_NE(error_of(settings(wrong)).find(wrong), std::string::npos) << wrong;
    EXPECT_NE(error_of(settings("s3://models/" + std::string(600, 'x'))), "");
}

TEST_F(S3OptionsTest, EndpointIsAHostWithoutTheImpliedPort)
{
    EXPECT_EQ(make_s3_options(settings("s3://m", "https://store:443/"))->host, "store");
    EXPECT_EQ(make_s3_options(settings("s3://m", "http://store:80"))->host, "store");
    EXPECT_EQ(make_s3_options(settings("s3://m", "https://[::1]:80"))->host, "[::1]:80");
    for (const char* wrong : {"store", "ftp://store", "http://", "http://user:secret@store",
                              "http://store/path", "http://store?x", "http://a\r\nb"})
        EXPECT_NE(error_of(settings("s3://m", wrong)), "") << wrong;
}

TEST_F(S3OptionsTest, AwsHasTheBucketInTheHostName)
{
    const auto options = make_s3_options(settings("s3://m", "")).value();
    EXPECT_EQ(options.host, "s3.eu-west-9.amazonaws.com");
    EXPECT_EQ(options.scheme, "https");
    EXPECT_FALSE(options.path_style);
    EXPECT_TRUE(make_s3_options(settings("s3://m.n", ""))->path_style) << "no certificate covers two labels";
    auto other = settings("s3://m");
    other.addressing = "host";
    EXPECT_FALSE(make_s3_options(other)->path_style);
}

TEST_F(S3OptionsTest, KeysComeFromTheDefaultProfile)
{
    const auto options = make_s3_options(settings("s3://m")).value();
    EXPECT_EQ(options.keys.access_key, "ID");
    EXPECT_EQ(options.keys.secret_key, "SE=CRET");
    auto bad = settings("s3://m");
    bad.credentials = folder_.write("empty", "[other]\naws_access_key_id=VISIBLE\n");
    EXPECT_NE(error_of(bad).find("[default]"), std::string::npos);
    EXPECT_EQ(error_of(bad).find("VISIBLE"), std::string::npos);
    bad.credentials = folder_.write("large", std::string(100'000, 'x'));
    EXPECT_NE(error_of(bad), "");
    bad.credentials = folder_.path() / "none";
    EXPECT_NE(error_of(bad), "");
    bad.credentials = folder_.write("control", "aws_access_key_id=A\x01\naws_secret_access_key=HIDDEN\n");
    EXPECT_NE(error_of(bad), "");
    EXPECT_EQ(error_of(bad).find("HIDDEN"), std::string::npos);
}

TEST_F(S3OptionsTest, KeysComeFromTheEnvironment)
{
    auto from_environment = settings("s3://m");
    from_environment.credentials.clear();
    ::setenv("AWS_ACCESS_KEY_ID", "FROM", 1);
    ::setenv("AWS_SECRET_ACCESS_KEY", "ENVIRONMENT", 1);
    ::setenv("AWS_SESSION_TOKEN", "TOKEN", 1);
    const auto options = make_s3_options(from_environment).value();
    EXPECT_EQ(options.keys.access_key, "FROM");
    EXPECT_EQ(options.keys.session_token, "TOKEN");
    ::setenv("AWS_SECRET_ACCESS_KEY", "two\r\nlines", 1);
    EXPECT_NE(error_of(from_environment).find("control characters"), std::string::npos);
    ::unsetenv("AWS_SECRET_ACCESS_KEY");
    EXPECT_NE(error_of(from_environment).find("--s3-credentials"), std::string::npos);
    ::unsetenv("AWS_ACCESS_KEY_ID");
    ::unsetenv("AWS_SESSION_TOKEN");
}

TEST_F(S3OptionsTest, RegionIsAWord)
{
    auto bad = settings("s3://m");
    bad.region = "eu west/1";
    EXPECT_NE(error_of(bad), "");
}

} // namespace
} // namespace vitrine::server
