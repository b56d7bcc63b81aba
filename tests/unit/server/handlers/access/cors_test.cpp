// Pages of other origins: preflights, the fields of responses, caches.

#include <algorithm>
#include <functional>

#include <gmock/gmock.h>

#include "api/openapi.hpp"
#include "server/handlers/routes.hpp"
#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* tools = "https://tools.example";

class CrossOrigin : public HandlerTest {
protected:
    CrossOrigin() : HandlerTest(false, {}, {.token = "sesame-sesame-sesame", .origins = {tools}}) {}

    static Fields from(const std::string& origin, bool has_token = true)
    {
        Fields fields{{"Origin", origin}};
        if (has_token) fields.emplace_back("Authorization", "Bearer sesame-sesame-sesame");
        return fields;
    }
    static Fields preflight(const std::string& origin)
    {
        return {{"Origin", origin},
                {"Access-Control-Request-Method", "PATCH"},
                {"Access-Control-Request-Headers", "authorization, content-type"}};
    }
    static void expect_no_fields(const Answered& answered)
    {
        for (const auto& [name, value] : answered.response.headers)
            EXPECT_FALSE(name.starts_with("Access-Control-")) << name;
    }
};

// Browsers send preflights without credentials.
TEST_F(CrossOrigin, PreflightNeedsNoTokenAndRevealsNoPath)
{
    const auto asset = imported("bar.obj");
    for (const auto& path : {"/v1/assets/" + asset, std::string("/v1/assets/none"), std::string("/v1/none"),
                             std::string("/v1/uploads")}) {
        const auto answered = ask(Method::options, path, preflight(tools));
        EXPECT_EQ(answered.status(), 204) << path;
        EXPECT_EQ(answered.header("Access-Control-Allow-Origin"), tools);
        EXPECT_EQ(answered.header("Access-Control-Allow-Credentials"), "true");
        for (const auto& route : all_routes())
            EXPECT_THAT(answered.header("Access-Control-Allow-Methods"),
                        HasSubstr(std::string(to_string(route.method))));
        for (const char* name :
             {"Authorization", "Content-Type", "If-Match", "Idempotency-Key", "Upload-Offset"})
            EXPECT_THAT(answered.header("Access-Control-Allow-Headers"), HasSubstr(name));
        EXPECT_EQ(answered.header("Access-Control-Max-Age"), "7200");
        EXPECT_THAT(answered.header("Vary"), HasSubstr("Origin"));
    }
    const auto foreign = ask(Method::options, "/v1/assets", preflight("https://evil.example"));
    EXPECT_EQ(foreign.status(), 401);
    expect_no_fields(foreign);
    EXPECT_EQ(ask(Method::options, "/v1/assets", {{"Origin", tools}}).status(), 401)
        << "this is no preflight";
}

TEST_F(CrossOrigin, PreflightsAllowEachRequestFieldOfTheContract)
{
    const auto allowed =
        ", " + ask(Method::options, "/v1/assets", preflight(tools)).header("Access-Control-Allow-Headers") +
        ",";
    std::size_t fields = 0;
    const std::function<void(const boost::json::value&)> check = [&](const boost::json::value& value) {
        if (const auto* const list = value.if_array()) std::ranges::for_each(*list, check);
        const auto* const object = value.if_object();
        if (object == nullptr) return;
        const auto* const place = object->if_contains("in");
        if (place != nullptr && *place == "header") {
            ++fields;
            const std::string name(object->at("name").as_string());
            EXPECT_THAT(allowed, HasSubstr(", " + name + ","));
        }
        for (const auto& [key, member] : *object)
            check(member);
    };
    check(boost::json::parse(api::openapi_json()));
    EXPECT_GT(fields, 10u);
}

TEST_F(CrossOrigin, ResponsesMayBeReadByAllowedOrigins)
{
    const auto answered = get("/v1/assets", from("HTTPS://tools.example"));
    EXPECT_EQ(answered.status(), 200);
    EXPECT_EQ(answered.header("Access-Control-Allow-Origin"), "HTTPS://tools.example");
    EXPECT_EQ(answered.header("Access-Control-Allow-Credentials"), "true");
    for (const char* name : {"ETag", "Link", "Location", "Retry-After", "X-Request-Id", "Upload-Offset"})
        EXPECT_THAT(answered.header("Access-Control-Expose-Headers"), HasSubstr(name));
    EXPECT_THAT(answered.header("Vary"), HasSubstr("Origin"));

    for (const auto& rejected : {get("/v1/assets", from(tools, false)), get("/v1/none", from(tools)),
                                 ask(Method::patch, "/v1/assets/none", from(tools), {"{}"}, 2)}) {
        EXPECT_GE(rejected.status(), 400);
        EXPECT_EQ(rejected.header("Access-Control-Allow-Origin"), tools) << "the page reads why";
    }
    const auto foreign = get("/v1/assets", from("https://evil.example"));
    EXPECT_EQ(foreign.status(), 200) << "its page cannot read it";
    expect_no_fields(foreign);
    EXPECT_THAT(foreign.header("Vary"), HasSubstr("Origin"));
    const auto own = get("/v1/assets", from("http://localhost"));
    expect_no_fields(own);
    EXPECT_THAT(get("/v1/assets", {{"Authorization", "Bearer sesame-sesame-sesame"}}).header("Vary"),
                HasSubstr("Origin"))
        << "a cache must not give it to the page of an origin";
}

// A stored response has none of the fields: the ones of an allowed origin are made by handle().
TEST_F(CrossOrigin, StoredResponsesAreThoseOfNoOrigin)
{
    const auto path = "/v1/assets/" + imported("bar.obj");
    const auto find = [&](const Fields& fields) {
        Request request;
        request.headers.add("Host", "localhost");
        for (const auto& [name, value] : fields)
            request.headers.add(name, value);
        return dispatcher.find_cached(request, path).response;
    };
    for (int i = 0; i < 2; ++i)
        EXPECT_EQ(get(path, from(tools)).header("Access-Control-Allow-Origin"), tools);
    EXPECT_FALSE(find(from(tools)));
    const auto stored = find(from("https://evil.example"));
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->head.find("Access-Control"), std::string::npos);
    EXPECT_THAT(stored->head, HasSubstr("Vary: "));
    EXPECT_THAT(stored->head, HasSubstr("Origin"));
    EXPECT_EQ(find({{"Authorization", "Bearer sesame-sesame-sesame"}}), stored);
}

class SameOrigin : public HandlerTest {
protected:
    SameOrigin() : HandlerTest(false) {}
};

TEST_F(SameOrigin, IsAllThatIsAllowedByDefault)
{
    const auto answered =
        ask(Method::options, "/v1/assets", {{"Origin", tools}, {"Access-Control-Request-Method", "GET"}});
    EXPECT_EQ(answered.status(), 204);
    EXPECT_EQ(answered.header("Access-Control-Allow-Origin"), "");
    EXPECT_EQ(get("/v1/assets").header("Vary").find("Origin"), std::string::npos);
}

} // namespace
} // namespace vitrine::server::testing
