// Share links as people make and open them, and streams of those whose access ends.

#include <gmock/gmock.h>

#include "server/net/async.hpp"
#include "server/sharing/stream_access.hpp"
#include "tests/support/eventually.hpp"
#include "tests/unit/server/handlers/access/access_matrix.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ShareLinks : public AccessMatrix {
protected:
    const Fields admin{bearer(server_token)};
    const Fields form{{"Content-Type", "application/x-www-form-urlencoded"}};

    Answered create(const std::string& body) { return ask(Method::post, "/v1/share-links", admin, {body}); }
    boost::json::value made(const std::string& members)
    {
        const auto answered = create(R"({"name":"client",)" + members + "}");
        EXPECT_EQ(answered.status(), 201) << body_bytes(answered.response.body).value();
        return answered.json();
    }
    static std::string text(const boost::json::value& value, std::string_view name)
    {
        return std::string(value.at(name).as_string());
    }
    // What a browser sends after the response.
    static Field cookie_from(const Answered& answered)
    {
        const auto field = answered.header("Set-Cookie");
        return {"Cookie", field.substr(0, field.find(';'))};
    }
    std::vector<std::string> audited(const std::string& action)
    {
        std::vector<std::string> lines;
        for (const auto& entry : services.audit.list({.action = action})->items)
            lines.push_back(entry.subject + " " + entry.actor.principal);
        return lines;
    }
};

TEST_F(ShareLinks, AreMadeListedAndRevokedByEditors)
{
    const auto asset = imported("bar.obj");
    const auto link = made(R"("view":"clip=c0&t=1","expiresIn":60,"asset":")" + asset + "\"");
    const auto id = text(link, "id");
    EXPECT_EQ(text(link, "path"), "/s/" + text(link, "secret"));
    EXPECT_EQ(link.at("hasPassword"), false);
    const auto listed = get("/v1/share-links?asset=" + asset, admin).json().at("items").as_array();
    ASSERT_EQ(listed.size(), 1u);
    EXPECT_FALSE(listed[0].as_object().contains("secret"));
    EXPECT_TRUE(get("/v1/share-links?asset=none", admin).json().at("items").as_array().empty());
    EXPECT_EQ(text(get("/v1/share-links/" + id, admin).json(), "view"), "clip=c0&t=1");
    EXPECT_EQ(get("/v1/share-links", {bearer(make(Role::viewer).secret)}).code(), "role_required");
    EXPECT_EQ(get("/v1/assets/" + asset, {bearer(text(link, "secret"))}).status(), 200);
    EXPECT_EQ(ask(Method::delete_, "/v1/share-links/" + id, admin).status(), 204);
    EXPECT_EQ(get("/v1/assets/" + asset, {bearer(text(link, "secret"))}).status(), 401);
    EXPECT_EQ(ask(Method::delete_, "/v1/share-links/" + id, admin).code(), "no_share_link");
    EXPECT_THAT(audited("share-link.create"), ElementsAre(id + " token:server"));
    EXPECT_THAT(audited("share-link.revoke"), ElementsAre(id + " token:server"));
}

TEST_F(ShareLinks, RejectWhatTheyCannotShow)
{
    const auto asset = imported("bar.obj");
    const auto with_asset = R"({"name":"a","asset":")" + asset + "\",";
    for (const auto& body :
         {std::string(R"({"name":"a"})"), std::string(R"({"name":"a","asset":"x","collection":"y"})"),
          std::string(R"({"name":"a","collection":"y","view":"t=1"})"),
          with_asset + R"("view":"attach=x@y"})", with_asset + R"("view":"clip=other:walk"})",
          with_asset + R"("view":"a#b"})", with_asset + R"("password":"short"})",
          with_asset + R"("expiresIn":0})", with_asset + R"("downloads":1})",
          with_asset + R"("role":"admin"})"})
        EXPECT_EQ(create(body).code(), "bad_body") << body;
    EXPECT_EQ(create(R"({"name":"a","asset":"none"})").code(), "no_asset");
    EXPECT_EQ(create(R"({"name":"a","collection":"none"})").code(), "no_collection");
    ASSERT_EQ(ask(Method::delete_, "/v1/assets/" + asset, admin).status(), 204);
    EXPECT_EQ(create(with_asset + R"("downloads":true})").code(), "no_asset") << "in the trash";
}

TEST_F(ShareLinks, OpenTheirPageWithACookie)
{
    const auto asset = imported("bar.obj");
    const auto link = made(R"("view":"clip=c0","asset":")" + asset + "\"");
    const auto opened = get(text(link, "path"));
    EXPECT_EQ(opened.status(), 303);
    EXPECT_EQ(opened.header("Location"), "/assets/" + asset + "?clip=c0");
    EXPECT_THAT(opened.header("Set-Cookie"), HasSubstr("HttpOnly; SameSite=Lax"));
    EXPECT_EQ(get("/v1/assets/" + asset, {cookie_from(opened)}).status(), 200);
    const auto me = get("/v1/me", {cookie_from(opened)}).json();
    EXPECT_EQ(text(me, "kind") + " " + text(me, "role"), "link link");
    EXPECT_EQ(text(me.at("shared"), "asset"), asset);
    EXPECT_EQ(get("/v1/share-links/" + text(link, "id"), admin).json().at("uses").to_number<int>(), 1);
    EXPECT_EQ(get("/s/share_none").status(), 404);
    EXPECT_THAT(get("/s/share_none").header("Content-Type"), StartsWith("text/html"));
}

// ':' separates another asset from its clip.
TEST_F(ShareLinks, ShowOwnClipsWhoseNamesHaveColons)
{
    const auto asset = imported("bar.obj");
    const auto link = made(R"("view":"clip=:Rig:walk&layer=:Rig:wave*0.5~Rig:Hips!add=:Rig:rest","asset":")" +
                           asset + "\"");
    const Fields visitor{bearer(text(link, "secret"))};
    const auto render = "/v1/assets/" + asset + "/render?";
    for (const auto* own : {"clip=:Rig:walk", "layer=:Rig:walk*0.5", "layer=c0~Rig:Hips"})
        EXPECT_NE(get(render + own, visitor).code(), "not_shared") << own;
    EXPECT_EQ(get(render + "clip=:Rig:walk", visitor).code(), "no_clip") << "by its name alone";
    for (const auto* other : {"clip=other:walk", "layer=other:walk", "layer=c0!add=other:walk@1",
                              "layer=:a!add=:b!add=other:walk", "attach=other@0"})
        EXPECT_EQ(get(render + other, visitor).code(), "not_shared") << other;
}

TEST_F(ShareLinks, AskForTheirPassword)
{
    const auto asset = imported("bar.obj");
    const auto link = made(R"("password":"a long sentence","asset":")" + asset + "\"");
    const auto path = text(link, "path");
    EXPECT_EQ(get(path).status(), 200);
    EXPECT_EQ(get(path).header("Set-Cookie"), "");
    const auto wrong = ask(Method::post, path, form, {"password=a+wrong+one"});
    EXPECT_EQ(wrong.status(), 401);
    EXPECT_EQ(wrong.header("Set-Cookie"), "");
    EXPECT_THAT(audited("share-link.reject"), ElementsAre(text(link, "id") + " anonymous"));
    const auto opened = ask(Method::post, path, form, {"password=a+long+sentence"});
    EXPECT_EQ(opened.status(), 303);
    EXPECT_EQ(get("/v1/assets/" + asset, {cookie_from(opened)}).status(), 200);
    const auto script = ask(Method::post, path, {}, {R"({"password":"a long sentence"})"});
    EXPECT_EQ(script.status(), 204);
    EXPECT_EQ(cookie_from(script), cookie_from(opened));
    EXPECT_EQ(ask(Method::post, path, {}, {R"({"password":"no"})"}).code(), "wrong_password");
}

TEST_F(ShareLinks, LeaveHalfOfTheLivePreviewsToOthers)
{
    const auto asset = imported("bar.obj"), path = "/v1/assets/" + asset + "/preview";
    const Fields visitor{bearer(text(made("\"asset\":\"" + asset + "\""), "secret"))};
    viewers = context.limits.max_viewers / 2 - 1;
    EXPECT_NE(get(path, visitor).code(), "too_many_viewers");
    ++viewers;
    EXPECT_EQ(get(path, visitor).code(), "too_many_viewers");
    EXPECT_NE(get(path, admin).code(), "too_many_viewers");
    viewers = 0;
}

TEST_F(ShareLinks, SlowDownWrongPasswords)
{
    const auto link = made(R"("password":"a long sentence","asset":")" + imported("bar.obj") + "\"");
    Answered answered;
    for (int i = 0; i < 10 && answered.status() != 429; ++i)
        answered = ask(Method::post, text(link, "path"), {}, {R"({"password":"no"})"});
    EXPECT_EQ(answered.code(), "too_many_attempts");
}

TEST_F(ShareLinks, EndWithTheUserWhoMadeThem)
{
    const auto asset = imported("bar.obj");
    const auto user = make_session("maya", Role::admin);
    const auto body = R"({"name":"a","asset":")" + asset + "\"}";
    const auto link = ask(Method::post, "/v1/share-links", {cookie_of(user)}, {body}).json();
    const auto token =
        ask(Method::post, "/v1/tokens", {cookie_of(user)}, {R"({"name":"t","role":"viewer"})"}).json();
    ASSERT_EQ(get("/v1/assets/" + asset, {bearer(text(token, "token"))}).status(), 200);
    ASSERT_TRUE(services.accounts.remove_user(user.session.user));
    EXPECT_EQ(get("/v1/assets/" + asset, {bearer(text(token, "token"))}).status(), 401);
    EXPECT_EQ(get("/v1/assets/" + asset, {bearer(text(link, "secret"))}).status(), 401);
}

// Searches that are shared with all.
TEST_F(ShareLinks, SearchesOfAFormerEditorAreTakenBackOnly)
{
    const auto user = make_session("maya", Role::editor);
    const auto saved =
        ask(Method::post, "/v1/searches", {cookie_of(user)}, {R"({"name":"s","query":"q=a","shared":true})"});
    ASSERT_EQ(saved.status(), 201);
    services.accounts.change_user(user.session.user, {.role = Role::viewer}, {}).value();
    const auto change = [&, path = "/v1/searches/" + text(saved.json(), "id")](const char* body) {
        return ask(Method::patch, path, {cookie_of(user)}, {body});
    };
    EXPECT_EQ(change(R"({"name":"t"})").code(), "role_required");
    EXPECT_EQ(change(R"({"query":"q=b"})").code(), "role_required");
    EXPECT_EQ(change(R"({"name":"t","shared":false})").status(), 200);
    EXPECT_EQ(change(R"({"query":"q=b"})").status(), 200);
}

// Returns the next piece of an event stream; empty: it has ended.
std::string next_piece(Answered& answered)
{
    auto& stream = *std::get<std::unique_ptr<EventStreamBody>>(answered.response.body);
    std::string piece = "none in time";
    answered.io->restart();
    asio::co_spawn(*answered.io, stream.next(), [&](const std::exception_ptr& error, std::string text) {
        if (!error) piece = std::move(text);
        answered.io->stop();
    });
    answered.io->run_for(test::wait_timeout);
    return piece;
}

TEST_F(ShareLinks, EventStreamsEndWithTheirToken)
{
    const auto token = make(Role::viewer);
    auto stream = get("/v1/events", {bearer(token.secret)});
    ASSERT_EQ(stream.status(), 200);
    EXPECT_THAT(next_piece(stream), StartsWith("retry:"));
    ASSERT_TRUE(services.tokens.remove(token.token.id));
    EXPECT_EQ(next_piece(stream), "");
}

TEST_F(ShareLinks, EventStreamsEndWithTheRoleOfTheirUser)
{
    const auto user = make_session("maya", Role::viewer);
    auto stream = get("/v1/events", {cookie_of(user)});
    EXPECT_THAT(next_piece(stream), StartsWith("retry:"));
    ASSERT_TRUE(services.accounts.change_user(user.session.user, {.is_disabled = true}, {}));
    EXPECT_EQ(next_piece(stream), "");
}

// Waits until it is stopped.
class WaitingSession final : public WebSocketSession {
public:
    std::string_view protocol() const override { return "waiting"; }
    void start(asio::any_io_executor strand) override { stopped_.emplace(strand); }
    void receive(std::string_view) override {}
    void receive_binary(std::string_view) override {}
    asio::awaitable<WebSocketMessage> next() override
    {
        co_await stopped_->wait(std::chrono::steady_clock::now() + test::wait_timeout);
        co_return WebSocketClose{1001, "stopped"};
    }
    void stop() override { stopped_->notify(); }
    void disconnect() override { stopped_->notify(); }

private:
    std::optional<Signal> stopped_;
};

TEST(StreamAccess, ClosesAWebSocketWhoseAccessEnds)
{
    asio::io_context io;
    Response response;
    response.body = std::unique_ptr<WebSocketSession>(std::make_unique<WaitingSession>());
    int asked = 0;
    limit_stream(response, [&asked] { return ++asked < 3; }, std::chrono::milliseconds(1));
    auto& session = *std::get<std::unique_ptr<WebSocketSession>>(response.body);
    session.start(io.get_executor());
    WebSocketMessage message;
    asio::co_spawn(io, session.next(),
                   [&](const std::exception_ptr&, WebSocketMessage got) { message = std::move(got); });
    io.run_for(test::wait_timeout);
    ASSERT_TRUE(std::holds_alternative<WebSocketClose>(message));
    EXPECT_EQ(std::get<WebSocketClose>(message).code, access_ended_close);
    EXPECT_EQ(asked, 3);
}

// The name of the cookie depends on what the proxy says.
TEST_F(ShareLinks, StreamsThroughATrustedProxyKeepTheirSession)
{
    const auto user = make_session("maya", Role::viewer);
    const Guard behind({.token = server_token, .proxies = TrustedProxies::parse({"loopback"}).value()},
                       &services.tokens);
    Request request;
    request.peer = peer_at("127.0.0.1");
    request.headers.add("X-Forwarded-Proto", "https");
    request.headers.add("X-Forwarded-For", "192.0.2.1");
    request.headers.add("Cookie", cookies.secure_session + "=" + user.secret);
    request.principal = *behind.identify(request);
    ASSERT_EQ(request.principal.kind, Principal::Kind::user);
    const auto access = stream_access_of(behind, request, {.access = Access::read});
    EXPECT_TRUE(access());
    ASSERT_TRUE(services.accounts.remove_user(user.session.user));
    EXPECT_FALSE(access());
}

class BrokenStream final : public EventStreamBody {
public:
    bool is_complete() const override { return false; }
    asio::awaitable<std::string> next() override { co_return std::string(); }
    void stop() override {}
};

TEST(StreamAccess, AStreamThatBreaksOffIsNotComplete)
{
    Response response;
    response.body = std::unique_ptr<EventStreamBody>(std::make_unique<BrokenStream>());
    limit_stream(response, [] { return true; });
    EXPECT_FALSE(std::get<std::unique_ptr<EventStreamBody>>(response.body)->is_complete());
}

} // namespace
} // namespace vitrine::server::testing
