// `vitrine login` and `vitrine logout`: a token by the device flow (RFC 8628), for this user and a server.

#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "server/cli/access/login_store.hpp"
#include "server/cli/access/user_command.hpp"
#include "server/http_client/http_client.hpp"

namespace vitrine::cli {
namespace {

namespace json = boost::json;
using std::chrono::seconds;

constexpr std::string_view unix_prefix = "unix:"; // unix:/run/vitrine.sock

struct LoginArguments {
    std::string url = "http://127.0.0.1:8080";
    std::string ca_file;
    std::string role = "editor";
    std::string name; // empty: of this machine
};

std::string default_name()
{
    std::array<char, 65> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0) return "vitrine";
    return fmt::format("vitrine on {}", host.data());
}

server::HttpCall call_to(const LoginArguments& arguments, const std::string& path)
{
    const bool is_unix = arguments.url.starts_with(unix_prefix);
    const auto base =
        is_unix ? "http://localhost" : arguments.url.substr(0, arguments.url.find_last_not_of('/') + 1);
    server::HttpCall call{.url = base + path, .ca_file = arguments.ca_file};
    if (is_unix) call.unix_socket = arguments.url.substr(unix_prefix.size());
    return call;
}

json::object parse_answer(const LoginArguments& arguments, const server::HttpAnswer& answer)
{
    if (!answer.failure.empty())
        throw std::runtime_error(fmt::format("{}: {}", arguments.url, answer.failure));
    boost::system::error_code error;
    auto value = json::parse(answer.body, error);
    if (error || !value.is_object())
        throw std::runtime_error(fmt::format("{} answers {} without JSON", arguments.url, answer.status));
    return std::move(value.as_object());
}

std::string text_in(const json::object& object, std::string_view name)
{
    const auto* value = object.if_contains(name);
    return value && value->is_string() ? std::string(value->as_string()) : std::string();
}

seconds seconds_in(const json::object& object, std::string_view name, std::int64_t otherwise)
{
    const auto* value = object.if_contains(name);
    return seconds(value && value->is_int64() ? value->as_int64() : otherwise);
}

[[noreturn]] void fail(const LoginArguments& arguments, int status, const json::object& body)
{
    auto why = text_in(body, "error_description");
    if (why.empty()) why = text_in(body, "detail");
    throw std::runtime_error(fmt::format("{} answers {}: {}", arguments.url, status, why));
}

json::object begin(const LoginArguments& arguments)
{
    auto call = call_to(arguments, "/v1/device/authorization");
    const auto name = arguments.name.empty() ? default_name() : arguments.name;
    call.body = server::encode_form({{"client_id", name}, {"scope", arguments.role}});
    const auto answer = server::send_call(call);
    auto body = parse_answer(arguments, answer);
    if (answer.status != 200) fail(arguments, answer.status, body);
    return body;
}

// Asks for the token until there is one. A server that does not answer is asked again.
json::object wait_for_token(const LoginArguments& arguments, const json::object& codes)
{
    auto call = call_to(arguments, "/v1/device/token");
    call.body = server::encode_form({{"grant_type", "urn:ietf:params:oauth:grant-type:device_code"},
                                     {"device_code", text_in(codes, "device_code")}});
    auto pause = seconds_in(codes, "interval", 5);
    const auto end = std::chrono::steady_clock::now() + seconds_in(codes, "expires_in", 600);
    while (std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(pause);
        const auto answer = server::send_call(call);
        if (!answer.failure.empty() || answer.status >= 500) continue;
        auto body = parse_answer(arguments, answer);
        if (answer.status == 200) return body;
        const auto error = text_in(body, "error");
        if (error == "slow_down")
            pause += seconds(5); // RFC 8628, 3.5
        else if (error != "authorization_pending")
            fail(arguments, answer.status, body);
    }
    throw std::runtime_error("the code has expired before it was approved");
}

int login(const LoginArguments& arguments)
{
    const auto codes = begin(arguments);
    fmt::print(stderr, "Open {}\nand approve the code {}\n", text_in(codes, "verification_uri_complete"),
               text_in(codes, "user_code"));
    const auto token = wait_for_token(arguments, codes);
    store_login(arguments.url, text_in(token, "access_token"));
    fmt::print("{}: signed in with the role {}; the token is in {}\n", arguments.url, text_in(token, "scope"),
               login_file().string());
    return 0;
}

// The token is removed here in each case.
int logout(const LoginArguments& arguments)
{
    const auto token = find_login(arguments.url);
    if (!token) throw std::runtime_error(fmt::format("{}: not signed in", arguments.url));
    auto call = call_to(arguments, "/v1/device/token");
    call.method = "DELETE";
    call.headers.push_back("Authorization: Bearer " + *token);
    const auto answer = server::send_call(call);
    remove_login(arguments.url);
    const bool is_revoked = answer.status == 204 || answer.status == 401; // 401: it was before
    if (is_revoked) return 0;
    throw std::runtime_error(
        fmt::format("{}: the token is removed here, but was not revoked: {}", arguments.url,
                    answer.failure.empty() ? fmt::format("status {}", answer.status) : answer.failure));
}

void declare_server(CLI::App& app, LoginArguments& arguments)
{
    app.add_option("--server", arguments.url, "URL of the server, or unix:PATH")
        ->envname("VITRINE_SERVER")
        ->capture_default_str();
    app.add_option("--ca-file", arguments.ca_file,
                   "PEM file of certificates to trust instead of the system's")
        ->envname("VITRINE_CA_FILE");
}

} // namespace

std::function<int()> declare_login(CLI::App& app)
{
    auto arguments = std::make_shared<LoginArguments>();
    declare_server(app, *arguments);
    app.add_option("--role", arguments->role, "Role to ask for; the token has none above that of the user")
        ->check(CLI::IsMember({"viewer", "editor", "admin"}))
        ->capture_default_str();
    app.add_option("--name", arguments->name, "Name of the token; default: that of this machine");
    return [arguments] { return login(*arguments); };
}

std::function<int()> declare_logout(CLI::App& app)
{
    auto arguments = std::make_shared<LoginArguments>();
    declare_server(app, *arguments);
    return [arguments] { return logout(*arguments); };
}

} // namespace vitrine::cli
