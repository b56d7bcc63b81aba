#include "loaders/io/base64.hpp"

#include <gtest/gtest.h>

#include "loaders/io/percent_encoding.hpp"

namespace vitrine::io {
namespace {

std::string text(const std::vector<std::byte>& bytes)
{
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::string decoded(std::string_view base64)
{
    const auto bytes = decode_base64(base64);
    return bytes ? text(*bytes) : "rejected";
}

TEST(Base64, MatchesTestVectorsOfRfc4648)
{
    const std::pair<std::string, std::string> vectors[] = {{"", ""},
                                                           {"f", "Zg=="},
                                                           {"fo", "Zm8="},
                                                           {"foo", "Zm9v"},
                                                           {"foob", "Zm9vYg=="},
                                                           {"fooba", "Zm9vYmE="},
                                                           {"foobar", "Zm9vYmFy"}};
    for (const auto& [plain, encoded] : vectors) {
        EXPECT_EQ(decoded(encoded), plain);
    }
}

TEST(Base64, AcceptsMissingPaddingSpacesAndUrlAlphabet)
{
    EXPECT_EQ(decoded("Zm9vYg"), "foob");
    EXPECT_EQ(decoded("Zm9v\r\n YmFy\n"), "foobar");
    EXPECT_EQ(decoded("-_-_"), decoded("+/+/"));
    EXPECT_EQ(decoded("Zg= ="), "f");
}

TEST(Base64, RejectsInvalidText)
{
    EXPECT_EQ(decoded("Zm9vY"), "rejected");
    EXPECT_EQ(decoded("Zm9*"), "rejected");
    EXPECT_EQ(decoded("Zg==Zg=="), "rejected");
    EXPECT_EQ(decoded("Zm\x80v"), "rejected");
}

TEST(Base64, EncodesWithPadding)
{
    EXPECT_EQ(encode_base64(""), "");
    EXPECT_EQ(encode_base64("f"), "Zg==");
    EXPECT_EQ(encode_base64("fo"), "Zm8=");
    EXPECT_EQ(encode_base64("foo"), "Zm9v");
    std::string all;
    for (int i = 0; i < 256; ++i)
        all += static_cast<char>(i);
    EXPECT_EQ(text(decode_base64(encode_base64(all)).value()), all);
}

TEST(DataUri, DecodesBase64AndPercent)
{
    const auto png = decode_data_uri("DATA:image/PNG;charset=x;base64,Zm9v");
    ASSERT_TRUE(png);
    EXPECT_EQ(png->media_type, "image/png");
    EXPECT_EQ(text(png->bytes), "foo");
    EXPECT_EQ(text(decode_data_uri("data:,a%20b")->bytes), "a b");
    EXPECT_EQ(text(decode_data_uri("data:;base64,Zm9vYg%3D%3D")->bytes), "foob");
    EXPECT_TRUE(decode_data_uri("data:application/octet-stream;base64,")->bytes.empty());
}

TEST(DataUri, RejectsInvalidUris)
{
    EXPECT_FALSE(decode_data_uri("data:image/png;base64"));
    EXPECT_FALSE(decode_data_uri("dat:,x"));
    EXPECT_FALSE(decode_data_uri("data:;base64,***"));
    EXPECT_FALSE(is_data_uri("data.bin"));
}

TEST(PercentDecode, KeepsInvalidSequences)
{
    EXPECT_EQ(percent_decode("a%2Fb%2fc"), "a/b/c");
    EXPECT_EQ(percent_decode("100%"), "100%");
    EXPECT_EQ(percent_decode("%zz%4"), "%zz%4");
}

} // namespace
} // namespace vitrine::io
