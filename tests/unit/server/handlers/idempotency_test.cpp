// Requests that are repeated with their Idempotency-Key.

#include <gmock/gmock.h>

#include "server/routing/idempotency.hpp"
#include "tests/unit/server/handlers/fixture.hpp"
#include "tests/unit/server/handlers/tus_fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::SizeIs;

constexpr const char* owner_token = "sesame-sesame-sesame";

class IdempotentRoutes : public HandlerTest {
protected:
    IdempotentRoutes() : HandlerTest(false, {}, {.token = owner_token}) {}

    Answered post(const std::string& path, const std::string& body, const std::string& key,
                  const std::string& token = owner_token)
    {
        Fields fields{{"Authorization", "Bearer " + token}};
        if (!key.empty()) fields.emplace_back("Idempotency-Key", key);
        return ask(Method::post, path, fields, {body}, body.size());
    }
    boost::json::array items(const std::string& path)
    {
        return get(path, {{"Authorization", std::string("Bearer ") + owner_token}})
            .json()
            .at("items")
            .as_array();
    }
    std::string token_of(const std::string& role)
    {
        return std::string(post("/v1/tokens", R"({"name": "x", "role": ")" + role + "\"}", "")
                               .json()
                               .at("token")
                               .as_string());
    }
};

TEST_F(IdempotentRoutes, ACollectionIsCreatedOnce)
{
    const std::string props = R"({"name": "props"})";
    const auto first = post("/v1/collections", props, "one");
    ASSERT_EQ(first.status(), 201);
    const auto again = post("/v1/collections", props, "one");
    EXPECT_EQ(again.status(), 201);
    EXPECT_EQ(again.json(), first.json());
    for (const auto* field : {"Location", "ETag", "Content-Type", "Cache-Control"})
        EXPECT_EQ(again.header(field), first.header(field)) << field;
    EXPECT_THAT(items("/v1/collections"), SizeIs(1));
}

TEST_F(IdempotentRoutes, TheFirstOfTwoUploadsAtOnceRuns)
{
    int runs = 0;
    const auto first = run_idempotent("k", "content", context, [&]() -> HandlerResult {
        ++runs;
        const auto second = run_idempotent("k", "content", context, [&]() -> HandlerResult {
            ++runs;
            return Response{};
        });
        EXPECT_EQ(second.error().status, 409);
        EXPECT_EQ(second.error().code, "idempotency_key_in_use");
        EXPECT_GT(second.error().retry_after_s, 0u);
        return text_response(201, "application/json", "{}");
    });
    EXPECT_EQ(first.value().status, 201);
    EXPECT_EQ(runs, 1);
    const auto fails = []() -> HandlerResult { throw std::runtime_error("of the test"); };
    EXPECT_THROW(run_idempotent("other", "content", context, fails), std::runtime_error);
    EXPECT_EQ(
        run_idempotent("other", "content", context, [] { return text_response(200, "a/b", ""); })->status,
        200)
        << "the key is free again";
}

TEST_F(IdempotentRoutes, AKeyIsForOneRequest)
{
    const std::string props = R"({"name": "props"})";
    ASSERT_EQ(post("/v1/collections", props, "one").status(), 201);
    const auto other = post("/v1/collections", R"({"name": "cars"})", "one");
    EXPECT_EQ(other.status(), 422);
    EXPECT_EQ(other.code(), "idempotency_key_reused");
    EXPECT_EQ(post("/v1/searches", props, "one").code(), "idempotency_key_reused") << "another path";
    EXPECT_EQ(post("/v1/collections?x=1", props, "one").code(), "idempotency_key_reused") << "another query";
    EXPECT_EQ(post("/v1/collections", R"({"name": "cars"})", "two").status(), 201);
    EXPECT_EQ(post("/v1/collections", props, "with blank").code(), "bad_idempotency_key");
}

TEST_F(IdempotentRoutes, RejectedRequestsLeaveNoKey)
{
    EXPECT_EQ(post("/v1/collections", R"({"name": 1})", "one").status(), 400);
    EXPECT_EQ(post("/v1/collections", R"({"name": "props"})", "one").status(), 201);
}

TEST_F(IdempotentRoutes, AnotherSenderHasOtherKeys)
{
    const auto token = token_of("editor");
    const std::string search = R"({"name": "cars", "query": "q=car"})";
    ASSERT_EQ(post("/v1/searches", search, "one").status(), 201);
    const auto other = post("/v1/searches", search, "one", token);
    EXPECT_EQ(other.status(), 201);
    EXPECT_EQ(post("/v1/searches", R"({"name": "x", "query": "q=car"})", "one", token).status(), 422);
    EXPECT_EQ(post("/v1/tokens", "{}", "two", token).status(), 403);
}

TEST_F(IdempotentRoutes, ASecretIsShownAgainButNotStored)
{
    const std::string body = R"({"name": "farm", "role": "viewer"})";
    const auto first = post("/v1/tokens", body, "one");
    ASSERT_EQ(first.status(), 201);
    EXPECT_EQ(post("/v1/tokens", body, "one").json(), first.json());
    EXPECT_EQ(post("/v1/tokens", body, "one").header("Cache-Control"), "no-store");
    EXPECT_THAT(items("/v1/tokens"), SizeIs(1));
    std::string rows;
    services.catalog.connections().read([&](DatabaseConnection& sql) {
        std::string name;
        std::string text;
        sql << "SELECT name, body FROM idempotency", soci::into(name), soci::into(text);
        rows = name + text;
    });
    EXPECT_FALSE(rows.empty());
    EXPECT_FALSE(rows.contains("farm"));
}

TEST_F(IdempotentRoutes, ASecondRequestIsRejectedWhileTheFirstRuns)
{
    const std::string props = R"({"name": "props"})";
    ASSERT_EQ(post("/v1/collections", props, "one").status(), 201);
    // As if the first one had not ended.
    services.catalog.connections().write(
        [&](DatabaseConnection& sql) { sql << "UPDATE idempotency SET status = 0, body = ''"; });
    const auto second = post("/v1/collections", props, "one");
    EXPECT_EQ(second.status(), 409);
    EXPECT_EQ(second.code(), "idempotency_key_in_use");
    EXPECT_EQ(second.header("Retry-After"), "1");
    // Its process has ended.
    services.catalog.connections().write(
        [&](DatabaseConnection& sql) { sql << "UPDATE idempotency SET created = created - 120000001"; });
    EXPECT_EQ(post("/v1/collections", R"({"name": "props"})", "one").code(), "collection_exists")
        << "it is done again";
}

class TusKeys : public Tus {
protected:
    static Fields keyed(const std::string& name)
    {
        return with({{"Upload-Length", "7"},
                     {"Upload-Metadata", metadata("filename", name)},
                     {"Content-Type", "application/offset+octet-stream"},
                     {"Idempotency-Key", "one"}});
    }
};

TEST_F(TusKeys, AnUploadIsBegunOnce)
{
    const auto first = ask(Method::post, "/v1/uploads", keyed("bar.obj"), {"con"}, 3);
    ASSERT_EQ(first.status(), 201);
    EXPECT_EQ(first.header("Upload-Offset"), "3");
    const auto path = first.header("Location");
    EXPECT_EQ(append(path, 3, "te").status(), 204);
    const auto again = ask(Method::post, "/v1/uploads", keyed("bar.obj"), {"con"}, 3);
    EXPECT_EQ(again.status(), 201);
    EXPECT_EQ(again.header("Location"), path);
    EXPECT_EQ(again.header("Upload-Offset"), "5") << "where it goes on";
    EXPECT_EQ(again.pieces, 0u);
    EXPECT_EQ(ask(Method::post, "/v1/uploads", keyed("other.obj"), {"con"}, 3).code(),
              "idempotency_key_reused");
}

} // namespace
} // namespace vitrine::server::testing
