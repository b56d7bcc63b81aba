#include "server/services/access/user_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/base/utf8.hpp"
#include "server/services/access/access_revision.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

bool has_byte_below(std::string_view text, char least)
{
    return std::ranges::any_of(text, [least](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < static_cast<unsigned char>(least) || c == '\x7f';
    });
}

std::unexpected<ServiceError> no_user(const std::string& id)
{
    return std::unexpected(ServiceError{Errc::not_found, "no_user", id, "There is no such user."});
}

// `condition`: ends the statement; it has the placeholder :key.
std::vector<User> fetch_users(DatabaseConnection& sql, const std::string& condition, const std::string& key)
{
    User user;
    std::string role;
    long long disabled = 0, created = 0, updated = 0;
    std::vector<User> users;
    soci::statement rows =
        (sql.prepare << "SELECT id, name, display_name, role, disabled, password, created, created_by, "
                        "updated FROM users WHERE " +
                            condition,
         into(user.id), into(user.name), into(user.display_name), into(role), into(disabled),
         into(user.password_hash), into(created), into(user.created_by), into(updated), use(key));
    for (rows.execute(); rows.fetch();) {
        user.role = parse_role(role).value_or(Role::none);
        user.is_disabled = disabled != 0;
        user.created = created;
        user.updated = updated;
        users.push_back(user);
    }
    return users;
}

std::optional<User> find_one(DatabaseConnection& sql, const std::string& condition, const std::string& key)
{
    auto users = fetch_users(sql, condition, key);
    if (users.empty()) return std::nullopt;
    return std::move(users.front());
}

bool is_name_in_use(DatabaseConnection& sql, const std::string& name, const std::string& by_other_than)
{
    const auto user = find_one(sql, "name_key = :key", ascii::lower(name));
    return user && user->id != by_other_than;
}

std::unexpected<ServiceError> name_in_use()
{
    return make_error(Errc::conflict, "name_in_use", "Another user has this name.");
}

void insert_user(DatabaseConnection& sql, const User& user)
{
    const auto key = ascii::lower(user.name);
    const std::string role(to_word(user.role));
    const long long disabled = user.is_disabled ? 1 : 0, created = user.created;
    sql << "INSERT INTO users (id, name, name_key, display_name, role, disabled, password, created, "
           "created_by, updated) VALUES (:id, :name, :key, :display, :role, :disabled, :password, :created, "
           ":by, :updated)",
        use(user.id), use(user.name), use(key), use(user.display_name), use(role), use(disabled),
        use(user.password_hash), use(created), use(user.created_by), use(created);
}

void update_user(DatabaseConnection& sql, const User& user)
{
    const auto key = ascii::lower(user.name);
    const std::string role(to_word(user.role));
    const long long disabled = user.is_disabled ? 1 : 0, updated = user.updated;
    sql << "UPDATE users SET name = :name, name_key = :key, display_name = :display, role = :role, "
           "disabled = :disabled, password = :password, updated = :updated WHERE id = :id",
        use(user.name), use(key), use(user.display_name), use(role), use(disabled), use(user.password_hash),
        use(updated), use(user.id);
}

// Returns what has changed, for the audit log.
std::string apply(const UserChange& change, User& user)
{
    std::string changes;
    const auto set = [&changes](auto& member, const auto& wanted, const std::string& text) {
        if (!wanted || *wanted == member) return;
        member = *wanted;
        changes += (changes.empty() ? "" : ", ") + text;
    };
    set(user.name, change.name, "name " + change.name.value_or(""));
    set(user.display_name, change.display_name, "display name");
    set(user.role, change.role, "role " + std::string(to_word(change.role.value_or(Role::none))));
    set(user.is_disabled, change.is_disabled, change.is_disabled.value_or(false) ? "disabled" : "enabled");
    set(user.password_hash, change.password_hash, "password");
    return changes;
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

Result<User> UserTable::create(NewUser wanted) const
{
    User user{std::move(wanted)};
    user.id = new_id("user");
    return database_.write([&](DatabaseConnection& sql) -> Result<User> {
        sql.dialect.lock_briefly(sql, "vitrine.users");
        if (is_name_in_use(sql, user.name, {})) return name_in_use();
        long long count = 0;
        sql << "SELECT COUNT(*) FROM users", into(count);
        if (count >= max_users)
            return make_error(Errc::conflict, "too_many_users",
                              fmt::format("There are {} users already.", max_users));
        user.created = user.updated = now();
        insert_user(sql, user);
        record_audit(sql, "user.create", user.id, fmt::format("{}, {}", user.name, to_word(user.role)));
        note_access_change(sql);
        return user;
    });
}

Result<User> UserTable::change(const std::string& id, const UserChange& change) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<User> {
        sql.dialect.lock_briefly(sql, "vitrine.users");
        auto user = find_one(sql, "id = :key", id);
        if (!user) return no_user(id);
        if (change.name && is_name_in_use(sql, *change.name, id)) return name_in_use();
        const auto changes = apply(change, *user);
        if (changes.empty()) return std::move(*user);
        user->updated = now();
        update_user(sql, *user);
        if (user->is_disabled || change.password_hash)
            sql << "DELETE FROM sessions WHERE user_id = :user AND id <> :kept", use(id),
                use(change.kept_session);
        record_audit(sql, "user.change", id, fmt::format("{}: {}", user->name, changes));
        note_access_change(sql);
        return std::move(*user);
    });
}

Result<void> UserTable::remove(const std::string& id) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<void> {
        const auto user = find_one(sql, "id = :key", id);
        if (!user) return no_user(id);
        sql << "DELETE FROM sessions WHERE user_id = :id", use(id);
        sql << "DELETE FROM users WHERE id = :id", use(id);
        record_audit(sql, "user.remove", id, user->name);
        note_access_change(sql);
        return {};
    });
}

std::optional<User> UserTable::find(const std::string& id) const
{
    return database_.read([&](DatabaseConnection& sql) { return find_one(sql, "id = :key", id); });
}

std::optional<User> UserTable::find_by_name(std::string_view name) const
{
    const auto key = ascii::lower(name);
    return database_.read([&](DatabaseConnection& sql) { return find_one(sql, "name_key = :key", key); });
}

std::vector<User> UserTable::list() const
{
    return database_.read(
        [](DatabaseConnection& sql) { return fetch_users(sql, "id > :key ORDER BY name_key", ""); });
}

} // namespace vitrine::server
