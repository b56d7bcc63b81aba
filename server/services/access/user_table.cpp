#include "server/services/access/user_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
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

std::unexpected<ServiceError> no_user(const std::string& id)
{
    return std::unexpected(ServiceError{Errc::not_found, "no_user", id, "There is no such user."});
}

std::unexpected<ServiceError> name_in_use()
{
    return make_error(Errc::conflict, "name_in_use", "Another user has this name.");
}

} // namespace

std::string user_name_fault(std::string_view name)
{
    if (name.empty() || name.size() > max_user_name || has_byte_below(name, '!') || !is_utf8(name))
        return fmt::format("must be 1 to {} bytes of UTF-8 without blanks and control characters",
                           max_user_name);
    return {};
}

std::string display_name_fault(std::string_view name)
{
    if (name.size() > max_display_name || has_byte_below(name, ' ') || !is_utf8(name))
        return fmt::format("must be at most {} bytes of UTF-8 without control characters", max_display_name);
    return {};
}

std::string group_name_fault(std::string_view name)
{
    if (name.empty() || name.size() > max_group_name || has_byte_below(name, ' ') || !is_utf8(name))
        return fmt::format("must be 1 to {} bytes of UTF-8 without control characters", max_group_name);
    return {};
}

Result<User> UserTable::create(NewUser wanted) const
{
    User user{std::move(wanted)};
    user.id = new_id("user");
    return database_.write([&](DatabaseConnection& sql) -> Result<User> {
        sql.dialect.lock_briefly(sql, "vitrine.users");
        if (is_name_in_use(sql, user.name, {})) return name_in_use();
        return add_user(sql, std::move(user));
    });
}

Result<User> UserTable::change(const std::string& id, const UserChange& change) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<User> {
        sql.dialect.lock_briefly(sql, "vitrine.users");
        auto user = find_user(sql, "id = :key", id);
        if (!user) return no_user(id);
        if (change.name && is_name_in_use(sql, *change.name, id)) return name_in_use();
        const auto changes = apply_change(change, *user);
        if (changes.empty()) return std::move(*user);
        user->updated = now();
        update_user(sql, *user);
        if (user->is_disabled || change.password_hash) end_sessions(sql, id, change.kept_session);
        record_audit(sql, "user.change", id, fmt::format("{}: {}", user->name, changes));
        note_access_change(sql);
        return std::move(*user);
    });
}

Result<void> UserTable::remove(const std::string& id) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<void> {
        const auto user = find_user(sql, "id = :key", id);
        if (!user) return no_user(id);
        const auto creator = "user:" + id; // to_text() of its principal
        sql << "DELETE FROM access_tokens WHERE created_by = :by", use(creator);
        sql << "DELETE FROM share_links WHERE created_by = :by", use(creator);
        sql << "DELETE FROM collection_grants WHERE user_id = :id", use(id);
        sql << "DELETE FROM user_groups WHERE user_id = :id", use(id);
        sql << "DELETE FROM favorites WHERE owner = :owner", use(creator);
        sql << "DELETE FROM saved_searches WHERE owner = :owner AND shared = 0", use(creator);
        end_sessions(sql, id, {});
        sql << "DELETE FROM users WHERE id = :id", use(id);
        record_audit(sql, "user.remove", id, user->name);
        return {};
    });
}

std::optional<User> UserTable::find(const std::string& id) const
{
    return database_.read([&](DatabaseConnection& sql) { return find_user(sql, "id = :key", id); });
}

std::optional<User> UserTable::find_by_name(std::string_view name) const
{
    const auto key = ascii::lower(name);
    return database_.read([&](DatabaseConnection& sql) { return find_user(sql, "name_key = :key", key); });
}

std::vector<User> UserTable::list() const
{
    return database_.read(
        [](DatabaseConnection& sql) { return fetch_users(sql, "id > :key ORDER BY name_key", ""); });
}

} // namespace vitrine::server
