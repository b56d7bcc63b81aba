// Users of an identity provider, at each sign-in.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "loaders/base/utf8.hpp"
#include "server/services/access/access_revision.hpp"
#include "server/services/access/user_rows.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr std::size_t max_email = 254; // bytes (RFC 5321)

std::optional<User> find_external(DatabaseConnection& sql, const ExternalUser& external)
{
    std::string id;
    sql << "SELECT id FROM users WHERE issuer = :issuer AND subject = :subject", into(id),
        use(external.issuer), use(external.subject);
    return sql.got_data() ? find_user(sql, "id = :key", id) : std::nullopt;
}

// The text without what a name cannot have, at most `size` bytes.
std::string cleaned(std::string_view text, char least, char instead, std::size_t size)
{
    std::string out(is_utf8(text) ? text : "");
    for (auto& c : out)
        if (has_byte_below({&c, 1}, least)) c = instead;
    return std::string(truncate_utf8(out, size));
}

User new_external(DatabaseConnection& sql, const ExternalUser& external)
{
    constexpr std::size_t number_bytes = 8; // behind the name if another user has it
    const auto wanted = cleaned(external.name, '!', '.', max_user_name - number_bytes);
    User user{{.name = wanted.empty() ? "user" : wanted,
               .display_name = cleaned(external.display_name, ' ', ' ', max_display_name),
               .role = external.role,
               .created_by = "identity provider",
               .issuer = external.issuer,
               .subject = external.subject,
               .email = cleaned(external.email, '!', '.', max_email)}};
    user.id = new_id("user");
    const auto base = user.name;
    for (int number = 2; is_name_in_use(sql, user.name, {}); ++number)
        user.name = fmt::format("{}-{}", base, number);
    return user;
}

// Returns what has changed.
std::string update_from(const ExternalUser& external, User& user)
{
    auto email = cleaned(external.email, '!', '.', max_email);
    const bool has_other_email = user.email != email;
    user.email = std::move(email);
    const UserChange change{.display_name = cleaned(external.display_name, ' ', ' ', max_display_name),
                            .role = external.role};
    auto changes = apply_change(change, user);
    if (has_other_email) changes += changes.empty() ? "email" : ", email";
    return changes;
}

// Names that grants can have, without the others.
std::set<std::string> usable_groups(const ExternalUser& external)
{
    std::set<std::string> groups;
    for (const auto& name : external.groups)
        if (groups.size() < UserTable::max_groups && group_name_fault(name).empty()) groups.insert(name);
    return groups;
}

// Returns whether they have changed.
bool store_groups(DatabaseConnection& sql, const std::string& user, const std::set<std::string>& groups)
{
    std::set<std::string> before;
    {
        std::string name;
        PreparedStatement rows = (sql.prepare << "SELECT group_name FROM user_groups WHERE user_id = :user",
                                  into(name), use(user));
        for (rows.execute(); rows.fetch();)
            before.insert(name);
    }
    if (before == groups) return false;
    sql << "DELETE FROM user_groups WHERE user_id = :user", use(user);
    for (const auto& name : groups)
        sql << "INSERT INTO user_groups (user_id, group_name) VALUES (:user, :name)", use(user), use(name);
    return true;
}

std::unexpected<ServiceError> no_role(DatabaseConnection& sql, const std::optional<User>& user)
{
    if (user) {
        store_groups(sql, user->id, {});
        end_sessions(sql, user->id, {});
    }
    return make_error(Errc::invalid, "no_role",
                      "None of your groups at the identity provider gives access to this server.");
}

Result<User> make_external(DatabaseConnection& sql, const ExternalUser& external)
{
    auto made = add_user(sql, new_external(sql, external));
    if (made) store_groups(sql, made->id, usable_groups(external));
    return made;
}

} // namespace

Result<User> UserTable::sign_on(const ExternalUser& external) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<User> {
        sql.dialect.lock_briefly(sql, "vitrine.users");
        auto user = find_external(sql, external);
        if (user && user->is_disabled)
            return make_error(Errc::invalid, "user_disabled", "This user is disabled on this server.");
        if (external.role == Role::none) return no_role(sql, user);
        if (!user) return make_external(sql, external);
        auto changes = update_from(external, *user);
        if (store_groups(sql, user->id, usable_groups(external)))
            changes += changes.empty() ? "groups" : ", groups";
        if (changes.empty()) return std::move(*user);
        user->updated = now();
        update_user(sql, *user);
        record_audit(sql, "user.change", user->id, fmt::format("{}: {}", user->name, changes));
        note_access_change(sql);
        return std::move(*user);
    });
}

} // namespace vitrine::server
