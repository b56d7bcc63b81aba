// Compressed responses: which form a request gets, its bytes and its entity tag. Expected values are from RFC
// 9110; other libraries decompress.

#include "server/routing/content_encoding.hpp"
#include "tests/support/gunzip.hpp"

#include <string>
#include <vector>

#include <brotli/decode.h>
#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

Encoding chosen(const std::vector<std::pair<std::string, std::string>>& fields)
{
    Headers headers;
    for (const auto& [name, value] : fields)
        headers.add(name, value);
    return choose_encoding(headers);
}

std::string inflate_brotli(const std::string& bytes, std::size_t size)
{
    std::string out(size, '\0');
    EXPECT_EQ(BrotliDecoderDecompress(bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                      &size, reinterpret_cast<std::uint8_t*>(out.data())),
              BROTLI_DECODER_RESULT_SUCCESS);
    out.resize(size);
    return out;
}

TEST(ContentEncoding, IsTheMostCompactThatTheClientTakes)
{
    EXPECT_EQ(chosen({}), Encoding::identity);
    EXPECT_EQ(chosen({{"Accept-Encoding", ""}}), Encoding::identity);
    EXPECT_EQ(chosen({{"Accept-Encoding", "gzip, deflate, br, zstd"}}), Encoding::brotli);
    EXPECT_EQ(chosen({{"Accept-Encoding", "gzip"}}), Encoding::gzip);
    EXPECT_EQ(chosen({{"Accept-Encoding", "br;q=0.5, gzip;q=1.0"}}), Encoding::gzip);
    EXPECT_EQ(chosen({{"Accept-Encoding", "gzip;q=0, br;q=0"}}), Encoding::identity);
    EXPECT_EQ(chosen({{"Accept-Encoding", "deflate"}}), Encoding::identity);
}

// The size of a compressed response could tell another site what is in it.
TEST(ContentEncoding, IsNoneForOtherSites)
{
    const std::pair<std::string, std::string> accept{"Accept-Encoding", "br"};
    EXPECT_EQ(chosen({accept, {"Sec-Fetch-Site", "cross-site"}}), Encoding::identity);
    EXPECT_EQ(chosen({accept, {"Sec-Fetch-Site", "same-origin"}}), Encoding::brotli);
}

TEST(ContentEncoding, OtherLibrariesReadTheBytes)
{
    std::string text;
    for (int i = 0; i < 5000; ++i)
        text += "{\"index\":" + std::to_string(i * i) + ",\"name\":\"joint\"}";
    for (const auto& original : {text, std::string(), std::string("x")}) {
        EXPECT_TRUE(test::gunzip(compress(original, Encoding::gzip), text.size() + 1) == original);
        EXPECT_TRUE(inflate_brotli(compress(original, Encoding::brotli), text.size() + 1) == original);
        EXPECT_TRUE(compress(original, Encoding::identity) == original);
    }
    EXPECT_LT(compress(text, Encoding::brotli).size(), text.size() / 5);
}

TEST(ContentEncoding, IsForText)
{
    for (const char* type :
         {"application/json", "text/html; charset=utf-8", "text/javascript", "image/svg+xml"})
        EXPECT_TRUE(is_compressible(type)) << type;
    for (const char* type :
         {"image/webp", "application/octet-stream", "text/event-stream", "", "model/gltf-binary"})
        EXPECT_FALSE(is_compressible(type)) << type;
}

TEST(ContentEncoding, EachFormHasItsOwnTag)
{
    EXPECT_EQ(encoded_etag("\"abc\"", Encoding::identity), "\"abc\"");
    EXPECT_EQ(encoded_etag("\"abc\"", Encoding::gzip), "\"abc-gzip\"");
    EXPECT_EQ(encoded_etag("\"abc\"", Encoding::brotli), "\"abc-br\"");
    EXPECT_EQ(encoded_etag("", Encoding::brotli), "");
}

TEST(ContentEncoding, TagsOfOneFormAreDecoded)
{
    EXPECT_EQ(decoded_etags("\"abc-br\"", Encoding::brotli), "\"abc\"");
    EXPECT_EQ(decoded_etags("\"abc-br\"", Encoding::gzip), "\"abc-br\"");
    EXPECT_EQ(decoded_etags("\"a-gzip\",W/\"b-gzip\" , \"c\"", Encoding::gzip), "\"a\", W/\"b\", \"c\"");
    EXPECT_EQ(decoded_etags("*", Encoding::brotli), "*");
    EXPECT_EQ(decoded_etags("", Encoding::brotli), "");
    EXPECT_EQ(decoded_etags("\"abc-identity\"", Encoding::identity), "\"abc-identity\"");
}

} // namespace
} // namespace vitrine::server
