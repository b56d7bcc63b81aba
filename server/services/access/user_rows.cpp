#include "server/services/access/user_rows.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "server/services/access/access_revision.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/database/database_connections.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

void insert_user(DatabaseConnection& sql, const User& user)
{
    const auto key = ascii::lower(user.name);
    const std::string role(to_word(user.role));
    const long long disabled = user.is_disabled ? 1 : 0, created = user.created;
    const long long quota = user.quota ? static_cast<long long>(*user.quota) : -1;
    sql << "INSERT INTO users (id, name, name_key, display_name, role, disabled, password, created, "
           "created_by, updated, issuer, subject, email, quota_bytes) VALUES (:id, :name, :key, :display, "
           ":role, :disabled, :password, :created, :by, :updated, :issuer, :subject, :email, :quota)",
        use(user.id), use(user.name), use(key), use(user.display_name), use(role), use(disabled),
        use(user.password_hash), use(created), use(user.created_by), use(created), use(user.issuer),
        use(user.subject), use(user.email), use(quota);
}

} // namespace

bool has_byte_below(std::string_view text, char least)
{
    return std::ranges::any_of(text, [least](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < static_cast<unsigned char>(least) || c == '\x7f';
    });
}

std::vector<User> fetch_users(DatabaseConnection& sql, const std::string& condition, const std::string& key)
{
    User user;
    std::string role;
    long long disabled = 0, created = 0, updated = 0, quota = 0;
    std::vector<User> users;
    PreparedStatement rows =
        (sql.prepare << "SELECT id, name, display_name, role, disabled, password, created, created_by, "
                        "updated, issuer, subject, email, quota_bytes FROM users WHERE " +
                            condition,
         into(user.id), into(user.name), into(user.display_name), into(role), into(disabled),
         into(user.password_hash), into(created), into(user.created_by), into(updated), into(user.issuer),
         into(user.subject), into(user.email), into(quota), use(key));
    for (rows.execute(); rows.fetch();) {
        user.role = parse_user_role(role).value_or(Role::none);
        user.is_disabled = disabled != 0;
        user.created = created;
        user.updated = updated;
        user.quota = quota < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(quota));
        users.push_back(user);
    }
    return users;
}

std::optional<User> find_user(DatabaseConnection& sql, const std::string& condition, const std::string& key)
{
    auto users = fetch_users(sql, condition, key);
    if (users.empty()) return std::nullopt;
    return std::move(users.front());
}

bool is_name_in_use(DatabaseConnection& sql, const std::string& name, const std::string& by_other_than)
{
    const auto user = find_user(sql, "name_key = :key", ascii::lower(name));
    return user && user->id != by_other_than;
}

void update_user(DatabaseConnection& sql, const User& user)
{
    const auto key = ascii::lower(user.name);
    const std::string role(to_word(user.role));
    const long long disabled = user.is_disabled ? 1 : 0, updated = user.updated;
    const long long quota = user.quota ? static_cast<long long>(*user.quota) : -1;
    sql << "UPDATE users SET name = :name, name_key = :key, display_name = :display, role = :role, "
           "disabled = :disabled, password = :password, updated = :updated, email = :email, "
           "quota_bytes = :quota WHERE id = :id",
        use(user.name), use(key), use(user.display_name), use(role), use(disabled), use(user.password_hash),
        use(updated), use(user.email), use(quota), use(user.id);
}

std::string apply_change(const UserChange& change, User& user)
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
    const auto quota = change.quota.value_or(std::nullopt);
    set(user.quota, change.quota, quota ? fmt::format("quota {}", *quota) : "default quota");
    return changes;
}

Result<User> add_user(DatabaseConnection& sql, User user)
{
    long long count = 0;
    sql << "SELECT COUNT(*) FROM users", into(count);
    if (count >= UserTable::max_users)
        return make_error(Errc::conflict, "too_many_users",
                          fmt::format("There are {} users already.", UserTable::max_users));
    user.created = user.updated = now();
    insert_user(sql, user);
    record_audit(sql, "user.create", user.id, fmt::format("{}, {}", user.name, to_word(user.role)));
    note_access_change(sql);
    return user;
}

void end_sessions(DatabaseConnection& sql, const std::string& user, const std::string& kept)
{
    sql << "DELETE FROM sessions WHERE user_id = :user AND id <> :kept", use(user), use(kept);
    sql << "DELETE FROM device_grants WHERE owner = :user", use(user);
    sql << "DELETE FROM access_tokens WHERE owner = :user", use(user);
    note_access_change(sql);
}

} // namespace vitrine::server
