#include "server/access/principal.hpp"

#include <array>

namespace vitrine::server {
namespace {

constexpr std::array<std::string_view, 4> role_words{"none", "viewer", "editor", "admin"};

} // namespace

std::string_view to_word(Role role)
{
    return role_words.at(static_cast<std::size_t>(role));
}

std::optional<Role> parse_role(std::string_view word)
{
    for (const auto role : {Role::viewer, Role::editor, Role::admin})
        if (word == to_word(role)) return role;
    return std::nullopt;
}

std::optional<Role> role_for(Access access)
{
    switch (access) {
    case Access::undeclared: break;
    case Access::anyone: return Role::none;
    case Access::read: return Role::viewer;
    case Access::write: return Role::editor;
    case Access::administer: return Role::admin;
    }
    return std::nullopt;
}

bool may(Role role, Access access)
{
    const auto least = role_for(access);
    return least && role >= *least;
}

std::string to_text(const Principal& principal)
{
    switch (principal.kind) {
    case Principal::Kind::anonymous: break;
    case Principal::Kind::open: return "open";
    case Principal::Kind::user: return "user:" + principal.id;
    case Principal::Kind::token: return "token:" + (principal.id.empty() ? principal.name : principal.id);
    }
    return "anonymous";
}

} // namespace vitrine::server
