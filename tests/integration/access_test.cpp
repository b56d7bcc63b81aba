// The token that the first start makes: who gets in, and how.

#include <fstream>

#include <gtest/gtest.h>

#include "tests/integration/cli/program.hpp"
#include "tests/integration/http_support.hpp"
#include "tests/integration/preview_client.hpp"
#include "tests/support/eventually.hpp"

namespace vitrine::test {
namespace {

constexpr const char* html = "text/html,*/*;q=0.8";

class Access : public CliTest {
protected:
    std::filesystem::path data() const { return folder_ / "data"; }
    std::string token() const
    {
        std::ifstream in(data() / "token");
        std::string line;
        std::getline(in, line);
        return line;
    }
};

std::string cookie_of(const Reply& reply)
{
    const auto field = reply.header("set-cookie");
    return field.substr(0, field.find(';'));
}

} // namespace

TEST_F(Access, ServerRequiresTheTokenThatItMadeUnlessItIsOpen)
{
    std::string first;
    {
        ServerProcess server(data(), {"--no-open"});
        ASSERT_NE(server.port(), 0) << server.line();
        first = token();
        EXPECT_EQ(server.line(), fmt::format("Vitrine is listening on http://127.0.0.1:{0} (sign in: "
                                             "http://127.0.0.1:{0}/?token={1})",
                                             server.port(), first));
        EXPECT_EQ(get(server.port(), "/v1/assets").status, 401);
        EXPECT_EQ(get(server.port(), "/healthz").status, 200);
        EXPECT_EQ(get(server.port(), "/v1/assets", {{"Authorization", "Bearer " + first}}).status, 200);
    }
    ServerProcess again(data(), {"--no-open"});
    EXPECT_EQ(token(), first) << "kept in the data directory";
    EXPECT_EQ(get(again.port(), "/v1/assets", {{"Authorization", "Bearer " + first}}).status, 200);
    again.signal(SIGTERM);
    EXPECT_EQ(again.wait(), 0);
    ServerProcess open(data());
    EXPECT_EQ(open.line(), fmt::format("Vitrine is listening on http://127.0.0.1:{}", open.port()));
    EXPECT_EQ(get(open.port(), "/v1/assets").status, 200);
}

// nginx with `proxy_pass http://127.0.0.1:PORT` alone sends the upstream's Host and nothing that says where
// the request comes from.
TEST_F(Access, ReverseProxyWithoutSettingsOpensNothing)
{
    ServerProcess server(data(), {"--no-open"});
    for (const char* accept : {"*/*", html}) {
        Socket socket(server.port());
        socket.send(
            fmt::format("GET / HTTP/1.0\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\nAccept: {}\r\n\r\n",
                        server.port(), accept));
        EXPECT_EQ(read_reply(socket).status, 401) << accept;
    }
}

TEST_F(Access, BrowserSignsInWithTheLink)
{
    ServerProcess server(data(), {"--no-open"});
    const auto page = get(server.port(), "/assets/x?t=1", {{"Accept", html}});
    EXPECT_EQ(page.status, 401);
    EXPECT_EQ(page.header("content-type"), "text/html; charset=utf-8");
    EXPECT_NE(page.body.find("<form"), std::string::npos);

    const auto link = get(server.port(), "/assets/x?t=1&token=" + token(), {{"Accept", html}});
    EXPECT_EQ(link.status, 303);
    EXPECT_EQ(link.header("location"), "/assets/x?t=1");
    const Fields signed_in{{"Cookie", cookie_of(link)}};
    EXPECT_EQ(get(server.port(), "/v1/assets", signed_in).status, 200);
    EXPECT_EQ(get(server.port(), "/", {{"Accept", html}, signed_in[0]}).status, 200);
    EXPECT_EQ(fetch(server.port(), "DELETE", "/v1/assets/nobody",
                    {signed_in[0], {"Origin", "http://evil.example"}}, "")
                  .status,
              403)
        << "a cookie is sent by every page of the same site: the origin is still checked";
    const WebSocket viewer(server.port(), "nobody", "Cookie: " + signed_in[0].second + "\r\n");
    EXPECT_EQ(viewer.status, 404) << "browsers cannot send Authorization with a WebSocket";
    EXPECT_EQ(WebSocket(server.port(), "nobody").status, 401);
}

TEST_F(Access, CommandLineReadsTheTokenOfTheDataDirectory)
{
    ServerProcess server(data(), {"--no-open"});
    const auto model = write("triangle.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const auto url = fmt::format("http://127.0.0.1:{}", server.port());
    const auto with = run({"import", "--server", url, "--data", data().string(), model});
    EXPECT_EQ(with.exit_code, 0) << with.err;
    const auto without = run({"import", "--server", url, "--data", (folder_ / "other").string(), model});
    EXPECT_EQ(without.exit_code, 1);
    EXPECT_NE(without.err.find("--token or VITRINE_TOKEN"), std::string::npos) << without.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "other")) << "a client makes no token";
}

// The database is changed beside the running server, which learns of it.
TEST_F(Access, CommandLineManagesTokensInTheDatabase)
{
    EXPECT_EQ(run({"token", "list", "--data", data().string()}).exit_code, 1) << "there is no catalog";
    ServerProcess server(data(), {"--no-open"});
    const auto token_command = [&](std::vector<std::string> words) {
        words.insert(words.begin(), "token");
        if (std::getenv("VITRINE_TEST_DATABASE") != nullptr)
            words.insert(words.end(), {"--database", catalog_location(data())});
        else
            words.insert(words.end(), {"--data", data().string()});
        return run(words);
    };
    const auto made = token_command({"create", "render farm", "--role", "viewer", "--expires", "30d"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    ASSERT_TRUE(made.out.starts_with("vitrine_") && made.out.ends_with("\n")) << made.out;
    const auto secret = made.out.substr(0, made.out.size() - 1);
    const auto id = made.err.substr(0, made.err.find('\n'));
    const Fields viewer{{"Authorization", "Bearer " + secret}};
    const auto status = [&] { return get(server.port(), "/v1/assets", viewer).status; };
    EXPECT_TRUE(eventually([&] { return status() == 200; }));
    EXPECT_EQ(text_at(get(server.port(), "/v1/me", viewer).json(), "/id"), id);
    EXPECT_EQ(fetch(server.port(), "DELETE", "/v1/assets/nobody", viewer).status, 403);
    const auto listed = token_command({"list"}).out;
    EXPECT_NE(listed.find(id + "  viewer  20"), std::string::npos) << listed;
    EXPECT_NE(listed.find("  render farm\n"), std::string::npos) << listed;
    EXPECT_EQ(listed.find(secret), std::string::npos);

    EXPECT_EQ(token_command({"revoke", id}).exit_code, 0);
    EXPECT_TRUE(eventually([&] { return status() == 401; }));
    EXPECT_EQ(token_command({"revoke", id}).exit_code, 1);
    EXPECT_EQ(token_command({"create", "x", "--expires", "soon"}).exit_code, 2);
    EXPECT_EQ(token_command({"create", "x", "--role", "root"}).exit_code, 2);
    EXPECT_EQ(token_command({"create", ""}).exit_code, 2);
}

TEST_F(Access, CommandLineManagesTokensOfARunningServer)
{
    ServerProcess server(data(), {"--no-open"});
    const auto url = fmt::format("http://127.0.0.1:{}", server.port());
    const auto made =
        run({"token", "create", "desk", "--role", "admin", "--server", url, "--data", data().string()});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    const auto secret = made.out.substr(0, made.out.size() - 1);
    const auto id = made.err.substr(0, made.err.find('\n'));
    const std::vector<std::string> as_admin{"--server", url, "--token", secret};
    const auto token_command = [&](std::vector<std::string> words) {
        words.insert(words.begin(), "token");
        words.insert(words.end(), as_admin.begin(), as_admin.end());
        return run(words);
    };
    const auto listed = token_command({"list"});
    EXPECT_NE(listed.out.find(id + "  admin   never"), std::string::npos) << listed.out;
    const auto guest = token_command({"create", "guest"});
    EXPECT_EQ(get(server.port(), "/v1/assets",
                  {{"Authorization", "Bearer " + guest.out.substr(0, guest.out.size() - 1)}})
                  .status,
              200);
    EXPECT_EQ(token_command({"revoke", "token_none"}).exit_code, 1);
    EXPECT_EQ(token_command({"revoke", id}).exit_code, 0);
    const auto after = token_command({"list"});
    EXPECT_EQ(after.exit_code, 1);
    EXPECT_NE(after.err.find("401"), std::string::npos) << after.err;
}

// The command line changes users beside the running server, which signs them in and out.
TEST_F(Access, CommandLineManagesUsers)
{
    ServerProcess server(data(), {"--no-open"});
    const auto user_command = [&](std::vector<std::string> words, const std::string& input = {}) {
        words.insert(words.begin(), "user");
        if (std::getenv("VITRINE_TEST_DATABASE") != nullptr)
            words.insert(words.end(), {"--database", catalog_location(data())});
        else
            words.insert(words.end(), {"--data", data().string()});
        return run(words, input);
    };
    const auto sign_in = [&](const std::string& password) {
        return fetch(server.port(), "POST", "/v1/sessions", {},
                     fmt::format(R"({{"name":"maya","password":"{}"}})", password));
    };
    const auto made = user_command({"create", "maya", "--role", "editor", "--display-name", "Maya Lopez"},
                                   "a long sentence\n");
    ASSERT_EQ(made.exit_code, 0) << made.err;
    EXPECT_EQ(user_command({"create", "MAYA"}, "a long sentence\n").exit_code, 1) << "the name is in use";
    EXPECT_EQ(user_command({"create", "other"}, "short\n").exit_code, 1);
    const auto signed_in = sign_in("a long sentence");
    ASSERT_EQ(signed_in.status, 201) << signed_in.body;
    const Fields cookie{{"Cookie", cookie_of(signed_in)}};
    const auto me = get(server.port(), "/v1/me", cookie);
    EXPECT_EQ(text_at(me.json(), "/id") + "\n", made.out);
    EXPECT_EQ(text_at(me.json(), "/displayName"), "Maya Lopez");
    const auto listed = user_command({"list"}).out;
    EXPECT_NE(listed.find("editor  enabled   maya"), std::string::npos) << listed;

    EXPECT_EQ(user_command({"password", "maya"}, "another sentence\n").exit_code, 0);
    EXPECT_TRUE(eventually([&] { return get(server.port(), "/v1/me", cookie).status == 401; }));
    EXPECT_EQ(sign_in("a long sentence").status, 401);
    EXPECT_EQ(sign_in("another sentence").status, 201);
    EXPECT_EQ(user_command({"remove", "maya"}).exit_code, 0);
    EXPECT_EQ(user_command({"remove", "maya"}).exit_code, 1);
    EXPECT_EQ(sign_in("another sentence").status, 401);
}

TEST_F(Access, CommandLineGrantsCollections)
{
    ServerProcess server(data(), {"--no-open"});
    const auto user_command = [&](std::vector<std::string> words) {
        words.insert(words.begin(), "user");
        if (std::getenv("VITRINE_TEST_DATABASE") != nullptr)
            words.insert(words.end(), {"--database", catalog_location(data())});
        else
            words.insert(words.end(), {"--data", data().string()});
        return run(words, "a long sentence\n").exit_code;
    };
    const Fields admin{{"Authorization", "Bearer " + token()}};
    const auto made = fetch(server.port(), "POST", "/v1/collections", admin, R"({"name":"granted"})");
    ASSERT_EQ(made.status, 201) << made.body;
    const auto collection = text_at(made.json(), "/id");
    ASSERT_EQ(user_command({"create", "tom", "--role", "member"}), 0);
    const auto signed_in =
        fetch(server.port(), "POST", "/v1/sessions", {}, R"({"name":"tom","password":"a long sentence"})");
    ASSERT_EQ(signed_in.status, 201) << signed_in.body;
    const Fields cookie{{"Cookie", cookie_of(signed_in)}};
    const auto status = [&] { return get(server.port(), "/v1/collections/" + collection, cookie).status; };
    EXPECT_EQ(status(), 404);
    EXPECT_EQ(user_command({"grant", "tom", collection, "--role", "editor"}), 0);
    EXPECT_TRUE(eventually([&] { return status() == 200; }));
    EXPECT_EQ(user_command({"grant", "nobody", collection}), 1);
    EXPECT_EQ(user_command({"grant", "tom", "collection_none"}), 1);
    EXPECT_EQ(user_command({"ungrant", "tom", collection}), 0);
    EXPECT_EQ(user_command({"ungrant", "tom", collection}), 1);
    EXPECT_TRUE(eventually([&] { return status() == 404; }));
}

// Over HTTP by the address of the client, on the command line without one.
TEST_F(Access, AuditLogSurvivesTheServer)
{
    const auto admin = [&] { return Fields{{"Authorization", "Bearer " + token()}}; };
    {
        ServerProcess server(data(), {"--no-open"});
        EXPECT_EQ(get(server.port(), "/?token=wrong", {{"Accept", html}}).status, 401);
        EXPECT_EQ(get(server.port(), "/?token=" + token(), {{"Accept", html}}).status, 303);
        const auto made =
            fetch(server.port(), "POST", "/v1/tokens", admin(), R"({"name":"x","role":"viewer"})");
        ASSERT_EQ(made.status, 201);
        EXPECT_TRUE(eventually([&] {
            return get(server.port(), "/v1/audit", admin()).json().at("items").as_array().size() == 3;
        }));
    }
    ServerProcess server(data(), {"--no-open", "--audit-days", "2"});
    const auto items = get(server.port(), "/v1/audit", admin()).json().at("items").as_array();
    ASSERT_EQ(items.size(), 3u);
    for (const auto& item : items)
        EXPECT_EQ(item.at("address").as_string(), "127.0.0.1");
    EXPECT_EQ(
        get(server.port(), "/v1/audit?action=session.reject", admin()).json().at("items").as_array().size(),
        1u);
    EXPECT_EQ(fetch(server.port(), "DELETE", "/v1/audit", admin()).status, 405);
}

TEST_F(Access, OpenIsForLoopbackAddressesAlone)
{
    for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--listen", "0.0.0.0:0", "--open"},
                                                  {"--open", "--token", "sesame-sesame-sesame"}}) {
        std::vector<std::string> words{"serve", "--data", data().string()};
        words.insert(words.end(), wrong.begin(), wrong.end());
        const auto outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 2);
        EXPECT_NE(outcome.err.find("--open"), std::string::npos) << outcome.err;
    }
    EXPECT_FALSE(std::filesystem::exists(data()));
    ServerProcess everywhere(data(), {"--listen", "0.0.0.0:0", "--no-open"});
    ASSERT_NE(everywhere.port(), 0) << everywhere.line();
    EXPECT_NE(everywhere.line().find(fmt::format("(sign in: http://localhost:{}/?token=", everywhere.port())),
              std::string::npos)
        << everywhere.line();
    EXPECT_EQ(get(everywhere.port(), "/v1/assets").status, 401);
}

} // namespace vitrine::test
