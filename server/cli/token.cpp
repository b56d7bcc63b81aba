// `vitrine token`: creates, lists and revokes access tokens, in the database or over HTTP.
#include <charconv>
#include <cstdio>
#include <expected>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "api/resources.hpp"
#include "server/access/principal.hpp"
#include "server/cli/access/access_database.hpp"
#include "server/cli/command.hpp"
#include "server/cli/import.hpp"
#include "server/services/access/token_table.hpp"
#include "server/services/audit/audit_log.hpp"

namespace vitrine::cli {
namespace {

namespace json = boost::json;

constexpr std::int64_t second = 1'000'000; // microseconds

struct TokenArguments {
    ImportServer server{.url = {}}; // without a URL, the database is used
    AccessDatabase place;
    std::string name, id;
    std::string role = "viewer";
    std::string lifetime; // empty: does not expire
};

// A token as the list shows it.
struct TokenLine {
    std::string id, name, role, expires, used;
};

// "90", "90s", "15m", "12h", "30d" in seconds; empty: it is none of these.
std::optional<std::int64_t> parse_lifetime(std::string_view text)
{
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    const std::string_view unit(end, text.data() + text.size());
    if (error != std::errc() || count < 1 || count > 366'000'000) return std::nullopt;
    if (unit.empty() || unit == "s") return count;
    if (unit == "m") return count * 60;
    if (unit == "h") return count * 3600;
    if (unit == "d") return count * 86400;
    return std::nullopt;
}

// Returns the body of a successful response. Throws std::runtime_error with the server's reason.
json::value ask(TokenArguments& arguments, const char* method, const std::string& path,
                const std::string& body)
{
    find_server_token(arguments.server, arguments.place.data);
    return request_json(arguments.server, method, path, body);
}

std::string text_or(const json::value& value, std::string_view otherwise)
{
    return std::string(value.is_string() ? std::string_view(value.as_string()) : otherwise);
}

std::string time_or(server::Micros time, std::string_view otherwise)
{
    return time == 0 ? std::string(otherwise) : api::to_rfc3339(time);
}

std::string create_by_server(TokenArguments& arguments, std::optional<std::int64_t> seconds)
{
    json::object body{{"name", arguments.name}, {"role", arguments.role}};
    if (seconds) body["expiresIn"] = *seconds;
    const auto made = ask(arguments, "POST", "/v1/tokens", json::serialize(body));
    fmt::print(stderr, "{}\n", text_or(made.at("id"), ""));
    return text_or(made.at("token"), "");
}

std::string create_in_database(const TokenArguments& arguments, std::optional<std::int64_t> seconds)
{
    auto database = open_database(arguments.place);
    const auto made =
        server::TokenTable(database).create({.name = arguments.name,
                                             .role = server::parse_role(arguments.role).value(),
                                             .expires = seconds ? server::now() + *seconds * second : 0,
                                             .created_by = "command line"});
    if (!made) throw std::runtime_error(made.error().detail);
    fmt::print(stderr, "{}\n", made->token.id);
    return made->secret;
}

// The token goes to stdout alone, so that a script can take it; its id to stderr.
int create(TokenArguments& arguments)
{
    const auto seconds = parse_lifetime(arguments.lifetime);
    if (!arguments.lifetime.empty() && !seconds) {
        fmt::print(stderr, "vitrine: --expires must be a time such as 12h or 30d, not '{}'\n",
                   arguments.lifetime);
        return usage_error;
    }
    if (const auto why = server::token_name_fault(arguments.name); !why.empty()) {
        fmt::print(stderr, "vitrine: NAME {}\n", why);
        return usage_error;
    }
    const auto token = arguments.server.url.empty() ? create_in_database(arguments, seconds)
                                                    : create_by_server(arguments, seconds);
    fmt::print("{}\n", token);
    return 0;
}

std::vector<TokenLine> read_tokens(TokenArguments& arguments)
{
    std::vector<TokenLine> lines;
    if (arguments.server.url.empty()) {
        auto database = open_database(arguments.place);
        for (const auto& [token, digest, cookie, allowed] : server::TokenTable(database).list())
            lines.push_back({token.id, token.name, std::string(server::to_word(token.role)),
                             time_or(token.expires, "never"), time_or(token.last_used, "never")});
        return lines;
    }
    const auto listed = ask(arguments, "GET", "/v1/tokens", {});
    for (const auto& token : listed.at("items").as_array())
        lines.push_back({text_or(token.at("id"), ""), text_or(token.at("name"), ""),
                         text_or(token.at("role"), ""), text_or(token.at("expiresAt"), "never"),
                         text_or(token.at("lastUsedAt"), "never")});
    return lines;
}

int list(TokenArguments& arguments)
{
    const auto lines = read_tokens(arguments);
    constexpr auto format = "{:<32}  {:<6}  {:<24}  {:<24}  {}\n";
    fmt::print(format, "ID", "ROLE", "EXPIRES", "LAST USED", "NAME");
    for (const auto& line : lines)
        fmt::print(format, line.id, line.role, line.expires, line.used, line.name);
    return 0;
}

int revoke(TokenArguments& arguments)
{
    if (!arguments.server.url.empty()) {
        ask(arguments, "DELETE", "/v1/tokens/" + arguments.id, {});
        return 0;
    }
    auto database = open_database(arguments.place);
    const auto removed = server::TokenTable(database).remove(arguments.id);
    if (!removed) throw std::runtime_error(fmt::format("{}: {}", arguments.id, removed.error().detail));
    return 0;
}

void declare_place(CLI::App& app, TokenArguments& arguments)
{
    app.add_option("--server", arguments.server.url,
                   "URL of a running server, or unix:PATH; without it, the database is changed, also while "
                   "servers run, which know it within a second")
        ->envname("VITRINE_SERVER");
    app.add_option("--token", arguments.server.token,
                   "With --server: a token of an admin; default: that of the data folder")
        ->envname("VITRINE_TOKEN");
    app.add_option("--ca-file", arguments.server.ca_file,
                   "With --server: PEM file of certificates to trust instead of the system's")
        ->envname("VITRINE_CA_FILE");
    declare_database(app, arguments.place);
}

} // namespace

Action declare_token(CLI::App& app)
{
    auto arguments = std::make_shared<TokenArguments>();
    app.require_subcommand(1);
    auto* make = app.add_subcommand("create", "Create a token and print it, once");
    make->add_option("NAME", arguments->name, "What uses the token, for people")->required();
    make->add_option("--role", arguments->role,
                     "viewer (reads), editor (also uploads, changes, deletes), admin (also manages access)")
        ->check(CLI::IsMember({"viewer", "editor", "admin"}))
        ->capture_default_str();
    make->add_option("--expires", arguments->lifetime,
                     "Time after which it is invalid: 3600, 15m, 12h, 30d; default: never");
    auto* show = app.add_subcommand("list", "List the tokens, the newest first");
    auto* remove = app.add_subcommand("revoke", "Revoke a token");
    remove->add_option("ID", arguments->id, "Its id in the list")->required();
    for (auto* command : {make, show, remove})
        declare_place(*command, *arguments);
    return [arguments, make, show] {
        const server::AuditScope scope({.principal = "command line"});
        if (make->parsed()) return create(*arguments);
        return show->parsed() ? list(*arguments) : revoke(*arguments);
    };
}

} // namespace vitrine::cli
