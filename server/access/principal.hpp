#pragma once
// Who sends a request, and what a route requires of it. Plain values.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::server {

// Each role may do what those before it may.
enum class Role : std::uint8_t {
    none,   // has not shown who it is
    link,   // has only a share link or a signed URL (LinkScope)
    member, // has signed in, and sees what grants on collections show
    viewer, // reads everything but what is about access
    editor, // uploads, changes, deletes
    admin,  // manages access
};
std::string_view to_word(Role role);              // "none", "link", "member", "viewer", "editor", "admin"
std::optional<Role> parse_role(std::string_view); // that a token or a grant can have
std::optional<Role> parse_user_role(std::string_view); // that a user can have: also `member`

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
// Attributes of WWW-Authenticate: Bearer (RFC 6750, 3.1): the role of a token is its scope. `least`: what the
// request requires.
std::string insufficient_scope(Role least);

// What share links and signed URLs may use of a route, besides Access::anyone.
enum class Sharing : std::uint8_t {
    none,
    anything,   // share links: the response says nothing about assets
    asset,      // share links with the asset {id}
    picture,    // the same, and URLs that are signed for it
    download,   // share links with the asset {id} and with downloads
    collection, // share links with the collection {id}
    list,       // share links of collections; the handler restricts the list to LinkScope::collection
};

// A role of a user for a collection, with those below it and their assets.
struct CollectionGrant {
    std::string collection; // id
    Role role = Role::viewer;
    bool operator==(const CollectionGrant&) const = default;
};
using CollectionGrants = std::vector<CollectionGrant>;

// What grants on collections may use of a route, besides a role that has its Access.
enum class Granted : std::uint8_t {
    none,
    anything,       // the response says nothing about assets, or only about those that the request has made
    asset,          // of the asset {id}
    job,            // of the job {id}: those of its asset
    note,           // the same for a note
    collection,     // of the collection {id}
    administration, // of the collection {id}, with the role admin
    list,           // what the catalog shows is restricted (VisibilityScope)
};

// What a route requires, and what it lets others do.
struct RouteRules {
    Access access = Access::undeclared;
    Sharing sharing = Sharing::none;
    Granted granted = Granted::none;
};

// What a share link or a signed URL shows. One of `asset` and `collection` is empty.
struct LinkScope {
    std::string asset{};
    std::string collection{}; // its members, and those of collections below it, as they are at each request
    std::string shown{};      // query of the asset's page where the link leads; may be empty
    bool downloads = false;   // files and meshes too
};

struct Principal {
    enum class Kind : std::uint8_t {
        anonymous,  // has shown no token, or one that is wrong, expired or revoked
        open,       // the server requires no token
        token,      // has shown a token, or the cookie derived from it
        user,       // has shown the cookie of a session
        link,       // has shown the secret of a share link, or its cookie
        signed_url, // has a signed URL
    };
    Kind kind = Kind::anonymous;
    std::string name{}; // of the token, or of the user
    Role role = Role::none;
    std::string id{};         // of a token or link in the database, or of the user; empty: the server's token
    std::int64_t expires = 0; // of the token, session or link, microseconds since 1970; 0: never
    std::string session{};    // id of the session of a user
    std::string owner{};      // id of the user for whom a token stands; empty: none
    std::shared_ptr<const LinkScope> scope{};         // of Role::link
    std::shared_ptr<const CollectionGrants> grants{}; // null: none
};
// As a lookup has it, for all requests of the same sender: not copied for each.
using SharedPrincipal = std::shared_ptr<const Principal>;
// Returns "anonymous", "open", "user:", "link:" and the id, "token:" and the token's id, or its name if it
// has none, or "signed:" and the asset's id.
std::string to_text(const Principal& principal);
// Returns the id of the user who sends the request, also by a token that stands for one; empty: none.
std::string account_of(const Principal& principal);
// Whether to_text() has returned it for a share link.
bool is_link_text(std::string_view text);

// Whether the principal may use a route for the assets and collections of its scope. False for those without
// a scope.
bool may_share(const Principal& principal, Sharing sharing);

// The least role of a grant that has the access to such a route. Precondition: `access` is declared.
Role grant_role_for(Access access, Granted granted);
// Whether the principal may use a route for some of the assets and collections, if only those of its grants:
// reads of everybody who has signed in, which may show nothing, and writes of those who may write somewhere.
bool may_by_grant(const Principal& principal, Access access, Granted granted);
// Whether it may use a route in one of these ways.
bool may_use(const Principal& principal, const RouteRules& rules);
// The grants that have the role.
CollectionGrants grants_with(const Principal& principal, Role least);

} // namespace vitrine::server
