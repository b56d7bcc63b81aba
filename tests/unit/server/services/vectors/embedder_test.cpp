// Responses of embedders. The whole exchange: tests/e2e/suites/embedder.test.mjs.

#include "server/services/vectors/embedder.hpp"

#include <gmock/gmock.h>

namespace vitrine::server {
namespace {

using ::testing::HasSubstr;

std::string with_numbers(const std::string& numbers)
{
    return R"({"object":"list","data":[{"index":0,"embedding":[)" + numbers + "]}]}";
}

TEST(Embeddings, HaveLengthOne)
{
    const auto vector = parse_embedding(with_numbers("3,0,0,0,4,0,0,0"));
    ASSERT_TRUE(vector);
    EXPECT_FLOAT_EQ(vector->values()[0], 0.6f);
    EXPECT_FLOAT_EQ(vector->values()[4], 0.8f);
}

TEST(Embeddings, OtherResponsesAreErrors)
{
    const auto error_of = [](const std::string& text) {
        const auto vector = parse_embedding(text);
        return vector ? std::string("none") : vector.error();
    };
    EXPECT_THAT(error_of("no"), HasSubstr("not JSON"));
    EXPECT_THAT(error_of(""), HasSubstr("not JSON"));
    EXPECT_THAT(error_of(with_numbers("NaN,1,1,1,1,1,1,1")), HasSubstr("not JSON"));
    EXPECT_THAT(error_of("[]"), HasSubstr("no array"));
    EXPECT_THAT(error_of(R"({"data":[]})"), HasSubstr("no array"));
    EXPECT_THAT(error_of(R"({"data":[{"embedding":"AAAA"}]})"), HasSubstr("no array"));
    EXPECT_THAT(error_of(with_numbers("1,2,3")), HasSubstr("3 numbers"));
    EXPECT_THAT(error_of(with_numbers("null,1,1,1,1,1,1,1")), HasSubstr("not a number"));
    EXPECT_THAT(error_of(with_numbers("1e300,1,1,1,1,1,1,1")), HasSubstr("without a direction"));
    EXPECT_THAT(error_of(with_numbers("0,0,0,0,0,0,0,0")), HasSubstr("without a direction"));
    std::string many = "1";
    for (std::size_t i = 0; i < max_dimensions; ++i)
        many += ",1";
    EXPECT_THAT(error_of(with_numbers(many)), HasSubstr("4097 numbers"));
}

TEST(Embeddings, AServerThatCannotBeReachedIsAFailure)
{
    const Embedder embedder({.url = "http://127.0.0.1:1/embeddings", .model = "m"});
    const auto vector = embedder.embed_text("robot");
    ASSERT_FALSE(vector);
    EXPECT_THAT(vector.error().detail, HasSubstr("cannot be reached"));
    EXPECT_FALSE(vector.error().is_of_input);
}

} // namespace
} // namespace vitrine::server
