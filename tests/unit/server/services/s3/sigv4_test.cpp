// Signatures against the examples of AWS's documentation:
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html and
// sigv4-query-string-auth.html

#include "server/services/s3/sigv4.hpp"

#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

const S3Keys example_keys{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"};
const S3Scope example_scope{"us-east-1", std::chrono::sys_days(2013y / 5 / 24)};
const std::string no_payload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

S3SignedRequest example(const std::string& method, const std::string& path, S3Fields query, S3Fields headers,
                        const std::string& payload_hash = no_payload)
{
    headers.insert(headers.end(), {{"host", "examplebucket.s3.amazonaws.com"},
                                   {"x-amz-content-sha256", payload_hash},
                                   {"x-amz-date", "20130524T000000Z"}});
    return {.method = method,
            .path = encode_uri(path, true),
            .query = std::move(query),
            .headers = std::move(headers),
            .payload_hash = payload_hash};
}

std::string signature_in(const std::string& text)
{
    return text.substr(text.find("Signature=") + 10);
}

TEST(SigV4, SignsARangeOfAnObject)
{
    const auto header =
        sign_header(example("GET", "/test.txt", {}, {{"range", "bytes=0-9"}}), example_keys, example_scope);
    EXPECT_EQ(header, "AWS4-HMAC-SHA256 "
                      "Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                      "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
                      "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
}

TEST(SigV4, SignsABodyAndAnEncodedPath)
{
    const auto request =
        example("PUT", "/test$file.text", {},
                {{"date", "Fri, 24 May 2013 00:00:00 GMT"}, {"x-amz-storage-class", "REDUCED_REDUNDANCY"}},
                "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072");
    EXPECT_EQ(request.path, "/test%24file.text");
    EXPECT_EQ(signature_in(sign_header(request, example_keys, example_scope)),
              "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
}

// libcurl 7.88 signs "lifecycle" without "=".
TEST(SigV4, SignsAQueryWithoutAValue)
{
    EXPECT_EQ(
        signature_in(sign_header(example("GET", "/", {{"lifecycle", ""}}, {}), example_keys, example_scope)),
        "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
}

TEST(SigV4, SortsTheQuery)
{
    for (const S3Fields& query :
         {S3Fields{{"max-keys", "2"}, {"prefix", "J"}}, S3Fields{{"prefix", "J"}, {"max-keys", "2"}}})
        EXPECT_EQ(signature_in(sign_header(example("GET", "/", query, {}), example_keys, example_scope)),
                  "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

TEST(SigV4, SignsALink)
{
    const S3SignedRequest request{.method = "GET",
                                  .path = "/test.txt",
                                  .headers = {{"host", "examplebucket.s3.amazonaws.com"}},
                                  .payload_hash = "UNSIGNED-PAYLOAD"};
    EXPECT_EQ(sign_query(request, example_keys, example_scope, 86'400),
              "X-Amz-Algorithm=AWS4-HMAC-SHA256"
              "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
              "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
              "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
}

TEST(SigV4, LinksOfTemporaryKeysHaveTheirToken)
{
    auto keys = example_keys;
    keys.session_token = "a+b";
    const auto query =
        sign_query({.method = "GET", .path = "/x", .headers = {{"host", "h"}}}, keys, example_scope, 60);
    EXPECT_NE(query.find("&X-Amz-Security-Token=a%2Bb&"), query.npos) << query;
}

TEST(SigV4, EncodesEachByteOutsideTheUnreserved)
{
    EXPECT_EQ(encode_uri("aZ9-._~"), "aZ9-._~");
    EXPECT_EQ(encode_uri("a b/ü+%"), "a%20b%2F%C3%BC%2B%25");
    EXPECT_EQ(encode_uri("a b/c", true), "a%20b/c");
    EXPECT_EQ(encode_query({{"b", "1"}, {"a", "x y"}, {"a", "x"}, {"a-", ""}}), "a=x&a=x%20y&a-=&b=1");
}

} // namespace
} // namespace vitrine::server
