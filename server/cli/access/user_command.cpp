#include "server/cli/access/user_command.hpp"

#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>
#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include "loaders/base/parse_whole.hpp"
#include "server/access/password.hpp"
#include "server/cli/access/access_database.hpp"
#include "server/services/access/grant_table.hpp"
#include "server/services/access/group_grant_table.hpp"
#include "server/services/access/user_table.hpp"
#include "server/services/audit/audit_log.hpp"

namespace vitrine::cli {
namespace {

struct UserArguments {
    AccessDatabase place;
    std::string name, display_name;
    std::string role = "viewer";
    std::string quota{};                // bytes or "default"
    std::vector<std::string> granted{}; // a name, unless a group is given, and the id of a collection
    std::string group{}, issuer{};      // of an identity provider
};

// The terminal does not show what is typed until the destructor; signals that end or stop the process wait
// for it.
class HiddenInput {
public:
    HiddenInput()
    {
        sigset_t signals;
        sigemptyset(&signals);
        for (const int number : {SIGINT, SIGTERM, SIGTSTP})
            sigaddset(&signals, number);
        ::pthread_sigmask(SIG_BLOCK, &signals, &mask_);
        ::tcgetattr(STDIN_FILENO, &before_);
        auto hidden = before_;
        hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
    }
    ~HiddenInput()
    {
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
        ::pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
    }
    HiddenInput(const HiddenInput&) = delete;
    HiddenInput& operator=(const HiddenInput&) = delete;

private:
    termios before_{};
    sigset_t mask_{};
};

std::string read_line(const char* prompt)
{
    if (prompt != nullptr) fmt::print(stderr, "{}", prompt);
    std::string line;
    std::getline(std::cin, line);
    if (prompt != nullptr) fmt::print(stderr, "\n");
    return line;
}

// The first line of the standard input, or typed twice at a terminal. Throws std::runtime_error: it cannot be
// a password.
std::string read_password()
{
    std::string password;
    if (::isatty(STDIN_FILENO) == 0) {
        password = read_line(nullptr);
    } else {
        const HiddenInput hidden;
        password = read_line("Password: ");
        if (read_line("Again: ") != password) throw std::runtime_error("the two passwords differ");
    }
    if (const auto why = server::password_fault(password); !why.empty())
        throw std::runtime_error("the password " + why);
    return password;
}

template <class T>
T value_or_throw(server::Result<T> result)
{
    if (!result) throw std::runtime_error(result.error().detail);
    if constexpr (!std::is_void_v<T>) return *std::move(result);
}

server::User find_named(const server::UserTable& users, const std::string& name)
{
    auto user = users.find_by_name(name);
    if (!user) throw std::runtime_error(fmt::format("there is no user {}", name));
    return *std::move(user);
}

int create_user(const UserArguments& arguments)
{
    for (const auto& why :
         {server::user_name_fault(arguments.name), server::display_name_fault(arguments.display_name)})
        if (!why.empty()) throw std::runtime_error("the name " + why);
    auto database = open_database(arguments.place);
    const auto user = value_or_throw(
        server::UserTable(database).create({.name = arguments.name,
                                            .display_name = arguments.display_name,
                                            .role = server::parse_user_role(arguments.role).value(),
                                            .password_hash = server::hash_password(read_password()),
                                            .created_by = "command line"}));
    fmt::print("{}\n", user.id);
    return 0;
}

int list_users(const UserArguments& arguments)
{
    auto database = open_database(arguments.place);
    constexpr auto format = "{:<31}  {:<6}  {:<8}  {:<24}  {}\n";
    fmt::print(format, "ID", "ROLE", "STATE", "NAME", "DISPLAY NAME");
    for (const auto& user : server::UserTable(database).list())
        fmt::print(format, user.id, server::to_word(user.role), user.is_disabled ? "disabled" : "enabled",
                   user.name, user.display_name);
    return 0;
}

int remove_user(const UserArguments& arguments)
{
    auto database = open_database(arguments.place);
    const server::UserTable users(database);
    value_or_throw(users.remove(find_named(users, arguments.name).id));
    return 0;
}

int set_password(const UserArguments& arguments)
{
    auto database = open_database(arguments.place);
    const server::UserTable users(database);
    const auto user = find_named(users, arguments.name);
    value_or_throw(users.change(user.id, {.password_hash = server::hash_password(read_password())}));
    return 0;
}

int set_quota(const UserArguments& arguments)
{
    const auto bytes = parse_whole<std::uint64_t>(arguments.quota);
    if ((!bytes && arguments.quota != "default") || bytes.value_or(0) > INT64_MAX)
        throw std::runtime_error("the quota must be a number of bytes, or default");
    auto database = open_database(arguments.place);
    const server::UserTable users(database);
    value_or_throw(users.change(find_named(users, arguments.name).id, {.quota = bytes}));
    return 0;
}

// Throws std::runtime_error: the words are not those of a user, or not those of a group.
void check_grantee(const UserArguments& arguments)
{
    const std::size_t words = arguments.group.empty() ? 2 : 1;
    if (arguments.granted.size() != words)
        throw std::runtime_error(words == 2 ? "name a user and a collection, or --group and a collection"
                                            : "with --group, name a collection and no user");
    if (words == 2) return;
    if (const auto why = server::group_name_fault(arguments.group); !why.empty())
        throw std::runtime_error("--group " + why);
}

int grant_role(const UserArguments& arguments)
{
    check_grantee(arguments);
    const auto role = server::parse_role(arguments.role).value();
    auto database = open_database(arguments.place);
    if (!arguments.group.empty())
        value_or_throw(server::GroupGrantTable(database).put({.collection = arguments.granted.back(),
                                                              .name = {arguments.issuer, arguments.group},
                                                              .role = role,
                                                              .created_by = "command line"}));
    else
        value_or_throw(server::GrantTable(database).put({.collection = arguments.granted.back(),
                                                         .user = arguments.granted.front(),
                                                         .role = role,
                                                         .created_by = "command line"}));
    return 0;
}

int ungrant(const UserArguments& arguments)
{
    check_grantee(arguments);
    auto database = open_database(arguments.place);
    const auto& collection = arguments.granted.back();
    if (!arguments.group.empty())
        value_or_throw(
            server::GroupGrantTable(database).remove(collection, {arguments.issuer, arguments.group}));
    else
        value_or_throw(server::GrantTable(database).remove(collection, arguments.granted.front()));
    return 0;
}

// Commands of roles for collections.
struct GrantCommands {
    CLI::App* give;
    CLI::App* take;
};

GrantCommands declare_grants(CLI::App& app, UserArguments& arguments)
{
    const GrantCommands commands{
        app.add_subcommand("grant", "Give a user or a group a role for a collection, with those below it"),
        app.add_subcommand("ungrant", "Take the role for a collection from a user or a group")};
    for (auto* command : {commands.give, commands.take}) {
        command
            ->add_option(
                "COLLECTION", arguments.granted,
                "The name with which the user signs in, without --group, and the id of the collection")
            ->required()
            ->expected(1, 2)
            ->option_text("[NAME] COLLECTION");
        auto* issuer = command->add_option("--oidc-issuer", arguments.issuer,
                                           "The identity provider of the group, as vitrine serve has it");
        issuer->envname("VITRINE_OIDC_ISSUER");
        command->add_option("--group", arguments.group, "A group of an identity provider, instead of a user")
            ->needs(issuer);
        declare_database(*command, arguments.place);
    }
    commands.give
        ->add_option("--role", arguments.role,
                     "viewer (sees it), editor (also uploads, changes), admin (also manages its grants)")
        ->check(CLI::IsMember({"viewer", "editor", "admin"}))
        ->capture_default_str();
    return commands;
}

} // namespace

std::function<int()> declare_user(CLI::App& app)
{
    auto arguments = std::make_shared<UserArguments>();
    app.require_subcommand(1);
    auto* make = app.add_subcommand(
        "create", "Create a user with the password that is the first line of the standard input");
    auto* show = app.add_subcommand("list", "List the users by name");
    auto* remove = app.add_subcommand("remove", "Remove a user, who is signed out everywhere");
    auto* password = app.add_subcommand(
        "password", "Set the password of a user, who is signed out everywhere, from the standard input");
    auto* quota = app.add_subcommand("quota", "Limit the original files that a user uploads");
    for (auto* command : {make, remove, password, quota})
        command->add_option("NAME", arguments->name, "The name with which the user signs in")->required();
    quota->add_option("BYTES", arguments->quota, "Number of bytes, or default: that of --user-quota-bytes")
        ->required();
    make->add_option("--display-name", arguments->display_name, "The name that others see");
    make->add_option("--role", arguments->role,
                     "member (sees granted collections), viewer (reads), editor (also uploads, changes, "
                     "deletes), admin (also manages access)")
        ->check(CLI::IsMember({"member", "viewer", "editor", "admin"}))
        ->capture_default_str();
    for (auto* command : {make, show, remove, password, quota})
        declare_database(*command, arguments->place);
    const auto grants = declare_grants(app, *arguments);
    return [arguments, make, show, remove, quota, grants] {
        const server::AuditScope scope({.principal = "command line"});
        if (make->parsed()) return create_user(*arguments);
        if (show->parsed()) return list_users(*arguments);
        if (quota->parsed()) return set_quota(*arguments);
        if (grants.give->parsed()) return grant_role(*arguments);
        if (grants.take->parsed()) return ungrant(*arguments);
        return remove->parsed() ? remove_user(*arguments) : set_password(*arguments);
    };
}

} // namespace vitrine::cli
