#include "server/access/principal.hpp"

#include <algorithm>
#include <array>

namespace vitrine::server {
namespace {

constexpr std::array<std::string_view, 6> role_words{"none", "link", "member", "viewer", "editor", "admin"};
constexpr std::string_view link_prefix = "link:";

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

std::optional<Role> parse_user_role(std::string_view word)
{
    return word == to_word(Role::member) ? Role::member : parse_role(word);
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

std::string insufficient_scope(Role least)
{
    return std::string("error=\"insufficient_scope\", scope=\"").append(to_word(least)) + "\"";
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
    case Principal::Kind::link: return std::string(link_prefix) + principal.id;
    case Principal::Kind::signed_url: return "signed:" + principal.id;
    case Principal::Kind::token: return "token:" + (principal.id.empty() ? principal.name : principal.id);
    }
    return "anonymous";
}

std::string account_of(const Principal& principal)
{
    return principal.kind == Principal::Kind::user ? principal.id : principal.owner;
}

bool is_link_text(std::string_view text)
{
    return text.starts_with(link_prefix);
}

bool may_share(const Principal& principal, Sharing sharing)
{
    if (!principal.scope) return false;
    if (principal.kind == Principal::Kind::signed_url) return sharing == Sharing::picture;
    switch (sharing) {
    case Sharing::none: break;
    case Sharing::anything:
    case Sharing::asset:
    case Sharing::picture: return true;
    case Sharing::download: return principal.scope->downloads;
    case Sharing::collection:
    case Sharing::list: return !principal.scope->collection.empty();
    }
    return false;
}

Role grant_role_for(Access access, Granted granted)
{
    return granted == Granted::administration ? Role::admin : role_for(access).value_or(Role::admin);
}

bool may_by_grant(const Principal& principal, Access access, Granted granted)
{
    if (granted == Granted::none || principal.role < Role::member || !role_for(access)) return false;
    const auto least = grant_role_for(access, granted);
    return least <= Role::viewer || !grants_with(principal, least).empty();
}

bool may_use(const Principal& principal, const RouteRules& rules)
{
    return may(principal.role, rules.access) || may_share(principal, rules.sharing) ||
           may_by_grant(principal, rules.access, rules.granted);
}

CollectionGrants grants_with(const Principal& principal, Role least)
{
    CollectionGrants found;
    if (principal.grants)
        std::ranges::copy_if(*principal.grants, std::back_inserter(found),
                             [least](const CollectionGrant& grant) { return grant.role >= least; });
    return found;
}

} // namespace vitrine::server
