#pragma once
// Who sends a request, and what a route requires of it. Plain values.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vitrine::server {

// Each role may do what those before it may.
enum class Role : std::uint8_t {
    none,   // has not shown who it is
    viewer, // reads everything but what is about access
    editor, // uploads, changes, deletes
    admin,  // manages access
};
std::string_view to_word(Role role);              // "none", "viewer", "editor", "admin"
std::optional<Role> parse_role(std::string_view); // of a principal that has one: not "none"

// What a route requires.
enum class Access : std::uint8_t {
    undeclared, // a route that nobody may use
    anyone,
    read,
    write,
    administer,
};
// Returns the least role that has the access; empty for `undeclared`.
std::optional<Role> role_for(Access access);
bool may(Role role, Access access);

struct Principal {
    enum class Kind : std::uint8_t {
        anonymous, // has shown no token, or one that is wrong, expired or revoked
        open,      // the server requires no token
        token,     // has shown a token, or the cookie derived from it
        user,      // has shown the cookie of a session
    };
    Kind kind = Kind::anonymous;
    std::string name{}; // of the token, or of the user
    Role role = Role::none;
    std::string id{};         // of a token in the database, or of the user; empty: the server's token
    std::int64_t expires = 0; // of the token or session, microseconds since 1970; 0: never
    std::string session{};    // id of the session of a user
};
// Returns "anonymous", "open", "user:" and the user's id, or "token:" and the token's id, or its name if it
// has none.
std::string to_text(const Principal& principal);

} // namespace vitrine::server
