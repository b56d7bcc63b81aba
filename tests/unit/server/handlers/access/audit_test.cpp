// /v1/audit, and what requests leave there.

#include <gmock/gmock.h>

#include "tests/support/eventually.hpp"
#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* admin_secret = "sesame-sesame-sesame";

class AuditRoutes : public HandlerTest {
protected:
    explicit AuditRoutes(TrustedProxies proxies = {})
        : HandlerTest(false, {}, {.token = admin_secret, .proxies = std::move(proxies)})
    {
    }

    static Fields with(const std::string& token) { return {{"Authorization", "Bearer " + token}}; }
    const Fields admin = with(admin_secret);

    boost::json::array items(const std::string& query = "")
    {
        const auto answered = get("/v1/audit" + query, admin);
        EXPECT_EQ(answered.status(), 200) << query;
        return answered.json().at("items").as_array();
    }
    // "ACTION SUBJECT PRINCIPAL ADDRESS".
    std::vector<std::string> lines(const std::string& query = "")
    {
        std::vector<std::string> found;
        for (const auto& item : items(query))
            found.push_back(std::string(item.at("action").as_string()) + " " +
                            std::string(item.at("subject").as_string()) + " " +
                            std::string(item.at("principal").as_string()) + " " +
                            std::string(item.at("address").as_string()));
        return found;
    }
    Answered navigate(const std::string& target) { return get(target, {{"Accept", "text/html"}}); }
};

TEST_F(AuditRoutes, ChangesAreRecordedWithTheirSender)
{
    const auto id = imported("bar.obj");
    const auto editor = services.tokens.create({.name = "e", .role = Role::editor}).value();
    ASSERT_EQ(ask(Method::delete_, "/v1/assets/" + id, with(editor.secret)).status(), 204);
    ASSERT_EQ(ask(Method::delete_, "/v1/tokens/" + editor.token.id, admin).status(), 204);
    EXPECT_THAT(lines("?limit=2"), ElementsAre("token.revoke " + editor.token.id + " token:server none",
                                               "asset.delete " + id + " token:" + editor.token.id + " none"));
}

TEST_F(AuditRoutes, SignInsAreRecorded)
{
    EXPECT_EQ(navigate("/").status(), 401);
    EXPECT_EQ(navigate("/?token=wrong").status(), 401);
    EXPECT_EQ(navigate("/?token=" + std::string(admin_secret)).status(), 303);
    EXPECT_TRUE(test::eventually([&] { return items().size() == 2; })) << "written by another thread";
    EXPECT_THAT(lines("?action=session.create"), ElementsAre("session.create token token:server none"));
    EXPECT_THAT(lines("?principal=anonymous"), ElementsAre("session.reject token anonymous none"));
}

TEST_F(AuditRoutes, PagesFollowTheCursor)
{
    for (const char* name : {"a", "b", "c"})
        ASSERT_TRUE(services.tokens.create({.name = name}));
    const auto first = get("/v1/audit?limit=2", admin).json();
    EXPECT_THAT(first.at("items").as_array(), SizeIs(2));
    const auto rest = get("/v1/audit?limit=2&cursor=" + std::string(first.at("next").as_string()), admin);
    EXPECT_THAT(rest.json().at("items").as_array(), SizeIs(1));
    EXPECT_TRUE(rest.json().at("next").is_null());
    const auto time = std::string(rest.json().at_pointer("/items/0/time").as_string());
    EXPECT_THAT(items("?from=" + time), SizeIs(3));
    EXPECT_THAT(items("?to=2026-01-01T00:00:00Z"), IsEmpty());
    EXPECT_THAT(items("?from=2026-01-01T00:00:00.123456Z&to=9999-12-31T23:59:59Z"), SizeIs(3));
}

TEST_F(AuditRoutes, ParametersAreChecked)
{
    for (const char* wrong :
         {"limit=0", "limit=501", "limit=+1", "limit=", "from=today", "from=2026-02-30T00:00:00Z",
          "to=2026-01-01T00:00:00", "to=2026-01-01T24:00:00Z", "to=2026-01-01T00:00:00.1234567Z",
          "to=2026-01-01T00:00:00.Z", "to=2026-01-01T-1:00:00Z", "action=", "page=1", "limit=1&limit=1"})
        EXPECT_EQ(get(std::string("/v1/audit?") + wrong, admin).code(), "bad_query") << wrong;
    EXPECT_EQ(get("/v1/audit?cursor=1", admin).code(), "bad_cursor");
}

// Whoever may change everything else cannot change the log.
TEST_F(AuditRoutes, NoMethodChangesTheLog)
{
    for (const auto method : {Method::post, Method::put, Method::patch, Method::delete_}) {
        EXPECT_EQ(ask(method, "/v1/audit", admin).status(), 405);
        EXPECT_EQ(ask(method, "/v1/audit/audit_1", admin).status(), 404);
    }
}

class AuditBehindProxy : public AuditRoutes {
protected:
    AuditBehindProxy() : AuditRoutes(TrustedProxies::parse({"loopback"}).value())
    {
        sender = peer_at("127.0.0.1");
    }
};

// Clients can send the field too: the proxy adds the address to its end.
TEST_F(AuditBehindProxy, AddressIsTheOneThatTheProxyHasSeen)
{
    auto fields = admin;
    fields.emplace_back("X-Forwarded-For", "203.0.113.1, 198.51.100.7");
    const auto token = services.tokens.create({.name = "x"}).value().token;
    ASSERT_EQ(ask(Method::delete_, "/v1/tokens/" + token.id, fields).status(), 204);
    EXPECT_THAT(lines("?limit=1"), ElementsAre("token.revoke " + token.id + " token:server 198.51.100.7"));
}

} // namespace
} // namespace vitrine::server::testing
