// Bodies that routes accept, and bounds of query parameters and header fields.

#include <gtest/gtest.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

class RouteLimits : public HandlerTest {
protected:
    std::string bar = "/v1/assets/" + imported("bar.obj");
};

// The body is ignored, not rejected: RFC 9110 section 9.3.5 gives it no meaning.
TEST_F(RouteLimits, BodyOfADeleteIsNotRead)
{
    const auto deleted = ask(Method::delete_, bar, {}, {"ignored"}, 7);
    EXPECT_EQ(deleted.status(), 204);
    EXPECT_EQ(deleted.pieces, 0u);
}

TEST_F(RouteLimits, LongerBodyGives413)
{
    const std::string longest(64 * 1024, ' ');
    EXPECT_NE(ask(Method::patch, bar, {}, {longest}, longest.size()).status(), 413);
    EXPECT_NE(ask(Method::patch, bar, {}, {longest}).status(), 413);
    const auto declared = ask(Method::patch, bar, {}, {longest, " "}, longest.size() + 1);
    EXPECT_EQ(declared.status(), 413);
    EXPECT_EQ(declared.code(), "body_too_large");
    EXPECT_EQ(declared.pieces, 0u);
    const auto chunked = ask(Method::patch, bar, {}, {longest, " "});
    EXPECT_EQ(chunked.status(), 413);
    EXPECT_EQ(chunked.code(), "body_too_large");
}

TEST_F(RouteLimits, FilterByTrianglesStartsAtZero)
{
    const auto listed = get("/v1/assets?triangles.min=0");
    EXPECT_EQ(listed.status(), 200);
    EXPECT_EQ(listed.json().at("items").as_array().size(), 1u);
    EXPECT_EQ(get("/v1/assets?triangles.min=-1").status(), 400);
}

TEST_F(RouteLimits, EventStreamIsOpenedWith200)
{
    EXPECT_EQ(get("/v1/events").status(), 200);
    const auto rejected = get("/v1/events", {{"Last-Event-ID", "yesterday"}});
    EXPECT_EQ(rejected.status(), 400);
    EXPECT_EQ(rejected.code(), "bad_event_id");
}

} // namespace
} // namespace vitrine::server::testing
