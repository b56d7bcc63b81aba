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

constexpr std::size_t max_email = 254; // bytes (RFC 5321)

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
    long long disabled = 0, created = 0, updated = 0, quota = 0;
    std::vector<User> users;
    soci::statement rows =
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
    const long long quota = user.quota ? static_cast<long long>(*user.quota) : -1;
    sql << "INSERT INTO users (id, name, name_key, display_name, role, disabled, password, created, "
           "created_by, updated, issuer, subject, email, quota_bytes) VALUES (:id, :name, :key, :display, "
           ":role, :disabled, :password, :created, :by, :updated, :issuer, :subject, :email, :quota)",
        use(user.id), use(user.name), use(key), use(user.display_name), use(role), use(disabled),
        use(user.password_hash), use(created), use(user.created_by), use(created), use(user.issuer),
        use(user.subject), use(user.email), use(quota);
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

std::optional<User> find_external(DatabaseConnection& sql, const ExternalUser& external)
{
    std::string id;
    sql << "SELECT id FROM users WHERE issuer = :issuer AND subject = :subject", into(id),
        use(external.issuer), use(external.subject);
    return sql.got_data() ? find_one(sql, "id = :key", id) : std::nullopt;
}

// With the tokens that stand for the user, and those that devices may still ask for. `kept`: a session that
// goes on.
void end_sessions(DatabaseConnection& sql, const std::string& user, const std::string& kept)
{
    sql << "DELETE FROM sessions WHERE user_id = :user AND id <> :kept", use(user), use(kept);
    sql << "DELETE FROM device_grants WHERE owner = :user", use(user);
    sql << "DELETE FROM access_tokens WHERE owner = :user", use(user);
    note_access_change(sql);
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
    auto changes = apply(change, user);
    if (has_other_email) changes += changes.empty() ? "email" : ", email";
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
        return add_user(sql, std::move(user));
    });
}

Result<User> UserTable::sign_on(const ExternalUser& external) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<User> {
        sql.dialect.lock_briefly(sql, "vitrine.users");
        auto user = find_external(sql, external);
        if (user && user->is_disabled)
            return make_error(Errc::invalid, "user_disabled", "This user is disabled on this server.");
        if (external.role == Role::none) {
            if (user) end_sessions(sql, user->id, {});
            return make_error(Errc::invalid, "no_role",
                              "None of your groups at the identity provider gives access to this server.");
        }
        if (!user) return add_user(sql, new_external(sql, external));
        const auto changes = update_from(external, *user);
        if (changes.empty()) return std::move(*user);
        user->updated = now();
        update_user(sql, *user);
        record_audit(sql, "user.change", user->id, fmt::format("{}: {}", user->name, changes));
        note_access_change(sql);
        return std::move(*user);
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
        if (user->is_disabled || change.password_hash) end_sessions(sql, id, change.kept_session);
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
        const auto creator = "user:" + id; // to_text() of its principal
        sql << "DELETE FROM access_tokens WHERE created_by = :by", use(creator);
        sql << "DELETE FROM share_links WHERE created_by = :by", use(creator);
        sql << "DELETE FROM collection_grants WHERE user_id = :id", use(id);
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
