#include "server/services/access/token_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/base/utf8.hpp"
#include "server/services/access/access_revision.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/util/hex.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr Micros month = 30ll * 24 * 3600 * 1'000'000;

void insert_token(DatabaseConnection& sql, const AccessToken& token, const std::string& secret)
{
    const auto digest = to_hex(digest_of(secret));
    const auto cookie = to_hex(digest_of(cookie_value_of(secret)));
    const std::string role(to_word(token.role));
    const long long created = token.created, expires = token.expires;
    sql << "INSERT INTO access_tokens (id, digest, cookie, name, role, created, created_by, expires, owner) "
           "VALUES (:id, :digest, :cookie, :name, :role, :created, :by, :expires, :owner)",
        use(token.id), use(digest), use(cookie), use(token.name), use(role), use(created),
        use(token.created_by), use(expires), use(token.owner);
}

// Leaves room for one more: a user cannot take all of the tokens there may be.
void remove_oldest_of_owner(DatabaseConnection& sql, const std::string& owner)
{
    const auto others = TokenTable::max_tokens_of_owner - 1;
    sql << fmt::format("DELETE FROM access_tokens WHERE owner = :owner AND id NOT IN (SELECT id FROM "
                       "access_tokens WHERE owner = :same ORDER BY created DESC, id DESC LIMIT {})",
                       others),
        use(owner), use(owner);
}

} // namespace

std::string token_name_fault(std::string_view name)
{
    const bool has_control =
        std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
    if (name.empty() || name.size() > max_token_name || has_control || !is_utf8(name))
        return fmt::format("must be 1 to {} bytes of UTF-8 without control characters", max_token_name);
    return {};
}

Result<CreatedAccessToken> TokenTable::create(NewAccessToken wanted) const
{
    CreatedAccessToken made{{std::move(wanted)}, make_access_token()};
    made.token.id = new_id("token");
    return database_.write([&](DatabaseConnection& sql) -> Result<CreatedAccessToken> {
        sql.dialect.lock_briefly(sql, "vitrine.access_tokens");
        long long time = 0, count = 0;
        sql << "SELECT now_micros()", into(time);
        const long long forgotten = time - month;
        sql << "DELETE FROM access_tokens WHERE expires > 0 AND expires < :time", use(forgotten);
        if (!made.token.owner.empty()) remove_oldest_of_owner(sql, made.token.owner);
        sql << "SELECT COUNT(*) FROM access_tokens WHERE expires = 0 OR expires > :time", into(count),
            use(time);
        if (count >= max_tokens)
            return make_error(Errc::conflict, "too_many_tokens",
                              fmt::format("There are {} tokens already; revoke some.", max_tokens));
        made.token.created = time;
        insert_token(sql, made.token, made.secret);
        record_audit(sql, "token.create", made.token.id,
                     fmt::format("{}, {}", to_word(made.token.role), made.token.name));
        note_access_change(sql);
        return made;
    });
}

Result<void> TokenTable::remove(const std::string& id) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<void> {
        std::string name;
        sql << "SELECT name FROM access_tokens WHERE id = :id", into(name), use(id);
        if (!sql.got_data())
            return std::unexpected(ServiceError{Errc::not_found, "no_token", id, "There is no such token."});
        sql << "DELETE FROM access_tokens WHERE id = :id", use(id);
        const auto owner = "token:" + id; // to_text() of its principal
        sql << "DELETE FROM favorites WHERE owner = :owner", use(owner);
        sql << "DELETE FROM saved_searches WHERE owner = :owner AND shared = 0", use(owner);
        record_audit(sql, "token.revoke", id, name);
        note_access_change(sql);
        return {};
    });
}

std::vector<StoredAccessToken> TokenTable::list() const
{
    return database_.read([](DatabaseConnection& sql) {
        std::string id, digest, cookie, name, role, by, owner, owner_role;
        long long created = 0, expires = 0, used = 0;
        std::vector<StoredAccessToken> tokens;
        PreparedStatement rows =
            (sql.prepare << "SELECT t.id, t.digest, t.cookie, t.name, t.role, t.created, t.created_by, "
                            "t.expires, t.last_used, t.owner, COALESCE(u.role, '') FROM access_tokens t "
                            "LEFT JOIN users u ON u.id = t.owner AND u.disabled = 0 ORDER BY t.id DESC",
             into(id), into(digest), into(cookie), into(name), into(role), into(created), into(by),
             into(expires), into(used), into(owner), into(owner_role));
        for (rows.execute(); rows.fetch();) {
            AccessToken token{
                {name, parse_role(role).value_or(Role::none), expires, by, owner}, id, created, used};
            const auto highest =
                owner.empty() ? token.role : parse_user_role(owner_role).value_or(Role::none);
            const auto allowed = std::min(token.role, highest);
            tokens.push_back({std::move(token), parse_digest(digest), parse_digest(cookie), allowed});
        }
        return tokens;
    });
}

void TokenTable::record_use(const std::string& id, Micros used) const
{
    const long long time = used;
    database_.write_unsynced([&](DatabaseConnection& sql) {
        sql << "UPDATE access_tokens SET last_used = :time WHERE id = :id AND last_used < :before", use(time),
            use(id), use(time);
    });
}

} // namespace vitrine::server
