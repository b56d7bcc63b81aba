#include "server/services/access/session_table.hpp"

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

void insert_session(DatabaseConnection& sql, const UserSession& session, const std::string& digest,
                    const std::string& sid)
{
    const long long created = session.created, expires = session.expires;
    sql << "INSERT INTO sessions (id, digest, user_id, created, last_used, expires, address, agent, "
           "sid) VALUES (:id, :digest, :user, :created, :used, :expires, :address, :agent, :sid)",
        use(session.id), use(digest), use(session.user), use(created), use(created), use(expires),
        use(session.address), use(session.agent), use(sid);
}

// Those that have ended, and the oldest ones of the user over the limit.
void remove_surplus(DatabaseConnection& sql, const std::string& user, Micros time, const SessionTimes& times)
{
    const long long instant = time, idle = time - times.idle, kept = SessionTable::max_sessions;
    sql << "DELETE FROM sessions WHERE expires <= :time OR last_used <= :idle", use(instant), use(idle);
    sql << "DELETE FROM sessions WHERE user_id = :user AND id <= (SELECT id FROM sessions "
           "WHERE user_id = :same ORDER BY id DESC LIMIT 1 OFFSET :kept)",
        use(user), use(user), use(kept);
}

// False: it was recorded before. Forgets those that have expired.
bool record_logout_token(DatabaseConnection& sql, const ProviderLogout& logout)
{
    sql.dialect.lock_briefly(sql, "vitrine.logout_tokens");
    const auto id = to_hex(digest_of(logout.issuer + '\n' + logout.token_id)); // a URL has no line break
    const long long time = now(), expires = logout.expires;
    sql << "DELETE FROM logout_tokens WHERE expires <= :time", use(time);
    long long count = 0;
    sql << "SELECT COUNT(*) FROM logout_tokens WHERE id = :id", into(count), use(id);
    if (count > 0) return false;
    sql << "INSERT INTO logout_tokens (id, expires) VALUES (:id, :expires)", use(id), use(expires);
    return true;
}

// Ids. A subject beside the sid must be that of the session too.
std::vector<std::string> sessions_of(DatabaseConnection& sql, const ProviderLogout& logout)
{
    std::string id;
    std::vector<std::string> ids;
    PreparedStatement rows =
        (sql.prepare << "SELECT s.id FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.issuer = "
                        ":issuer AND (u.subject = :subject OR :any_subject = '') AND (s.sid = :sid OR "
                        ":any_sid = '')",
         into(id), use(logout.issuer), use(logout.subject), use(logout.subject), use(logout.sid),
         use(logout.sid));
    for (rows.execute(); rows.fetch();)
        ids.push_back(id);
    return ids;
}

struct SessionRow {
    ActiveSession active;
    std::string digest, role;
    long long created = 0, used = 0, expires = 0;
};

// `condition`: ends the statement; it has the placeholders :time, :idle and :user.
std::vector<ActiveSession> fetch_sessions(DatabaseConnection& sql, const std::string& condition,
                                          const SessionTimes& times, const std::string& user)
{
    const long long time = now(), idle = time - times.idle;
    SessionRow row;
    auto& session = row.active.session;
    std::vector<ActiveSession> sessions;
    PreparedStatement rows =
        (sql.prepare << "SELECT s.id, s.digest, s.user_id, s.created, s.last_used, s.expires, s.address, "
                        "s.agent, u.name, u.role FROM sessions s JOIN users u ON u.id = s.user_id "
                        "WHERE u.disabled = 0 AND s.expires > :time AND s.last_used > :idle AND " +
                            condition,
         into(session.id), into(row.digest), into(session.user), into(row.created), into(row.used),
         into(row.expires), into(session.address), into(session.agent), into(row.active.user_name),
         into(row.role), use(time), use(idle), use(user));
    for (rows.execute(); rows.fetch();) {
        session.created = row.created;
        session.last_used = row.used;
        session.expires = row.expires;
        row.active.digest = parse_digest(row.digest);
        row.active.role = parse_user_role(row.role).value_or(Role::none);
        sessions.push_back(row.active);
    }
    return sessions;
}

} // namespace

Result<CreatedSession> SessionTable::create(const NewSession& wanted) const
{
    CreatedSession made{{.id = new_id("session"), .user = wanted.user}, make_access_token("session_")};
    made.session.address = truncate_utf8(wanted.address, max_agent);
    if (is_utf8(wanted.agent)) made.session.agent = truncate_utf8(wanted.agent, max_agent);
    const auto digest = to_hex(digest_of(made.secret));
    return database_.write([&](DatabaseConnection& sql) -> Result<CreatedSession> {
        std::string name;
        sql << fmt::format("SELECT name FROM users WHERE id = :id AND password = :hash AND disabled = 0{}",
                           sql.dialect.words().lock_row),
            into(name), use(wanted.user), use(wanted.password_hash);
        if (!sql.got_data())
            return make_error(Errc::not_found, "no_user", "The user was changed at the same time.");
        made.session.created = made.session.last_used = now();
        made.session.expires = made.session.created + times_.lifetime;
        insert_session(sql, made.session, digest, wanted.sid);
        remove_surplus(sql, wanted.user, made.session.created, times_);
        record_audit(sql, "session.create", made.session.id, name);
        note_access_change(sql);
        return made;
    });
}

Result<void> SessionTable::remove(const std::string& id, const std::string& user) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<void> {
        long long count = 0;
        sql << "SELECT COUNT(*) FROM sessions WHERE id = :id AND user_id = :user", into(count), use(id),
            use(user);
        if (count == 0)
            return std::unexpected(
                ServiceError{Errc::not_found, "no_session", id, "There is no such session."});
        sql << "DELETE FROM sessions WHERE id = :id", use(id);
        record_audit(sql, "session.end", id);
        note_access_change(sql);
        return {};
    });
}

Result<std::size_t> SessionTable::end(const ProviderLogout& logout) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<std::size_t> {
        if (!record_logout_token(sql, logout))
            return make_error(Errc::invalid, "logout_token_used", "The logout token was used before (jti).");
        const auto sessions = sessions_of(sql, logout);
        for (const auto& id : sessions) {
            sql << "DELETE FROM sessions WHERE id = :id", use(id);
            record_audit(sql, "session.end", id, "by the identity provider");
        }
        if (!sessions.empty()) note_access_change(sql);
        return sessions.size();
    });
}

std::vector<UserSession> SessionTable::list(const std::string& user) const
{
    return database_.read([&](DatabaseConnection& sql) {
        std::vector<UserSession> sessions;
        for (auto& active : fetch_sessions(sql, "s.user_id = :user ORDER BY s.id DESC", times_, user))
            sessions.push_back(std::move(active.session));
        return sessions;
    });
}

std::vector<ActiveSession> SessionTable::list_active() const
{
    return database_.read([&](DatabaseConnection& sql) {
        return fetch_sessions(sql, "s.user_id > :user", times_, ""); // all
    });
}

void SessionTable::record_use(const std::string& id, Micros used) const
{
    const long long time = used;
    database_.write_unsynced([&](DatabaseConnection& sql) {
        sql << "UPDATE sessions SET last_used = :time WHERE id = :id AND last_used < :before", use(time),
            use(id), use(time);
    });
}

} // namespace vitrine::server
