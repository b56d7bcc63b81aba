#pragma once
// The audit log: who has signed in, and changed or removed what is difficult to get back. An entry is written
// in the transaction of what it describes. Entries are never changed; they are removed at a certain age.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "server/util/clock.hpp"

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp
struct DatabaseConnection; // server/services/database/database_connection.hpp

struct AuditActor {
    std::string principal = "server"; // to_text() of a principal, "command line", or "server" by itself
    std::string address{};            // of the client; empty: none
};

// Entries of this thread are by `actor` until the destructor, which restores the one before.
class AuditScope {
public:
    explicit AuditScope(AuditActor actor);
    ~AuditScope();
    AuditScope(const AuditScope&) = delete;
    AuditScope& operator=(const AuditScope&) = delete;

private:
    AuditActor before_;
};

// AuditActor::principal of this thread's entries, at most 200 bytes.
std::string acting_principal();

struct AuditEntry {
    std::string id{}; // "audit_..."
    Micros time = 0;
    AuditActor actor{};
    std::string action{};  // "token.create": the kind of subject, and what was done
    std::string subject{}; // id, or the name that a failed sign-in has given
    std::string detail{};  // for people; no secrets
};

// Adds an entry by this thread's actor, which exists if the transaction is committed. Texts are cut to 200
// bytes.
void record_audit(DatabaseConnection& sql, std::string_view action, std::string_view subject,
                  std::string_view detail = {});

// Which entries, the newest first.
struct AuditQuery {
    std::string action{}, principal{};  // empty: any
    std::optional<Micros> from{}, to{}; // from <= time < to
    std::string cursor{};               // AuditPage::next; empty: from the newest
    std::size_t limit = 100;
};

struct AuditPage {
    std::vector<AuditEntry> items;
    std::string next; // empty: the last page
};

// Any thread, blocking. Throws StorageError.
class AuditLog {
public:
    static constexpr std::chrono::days default_age{400};

    // `database` outlives the log. Entries older than `age` are removed.
    explicit AuditLog(DatabaseConnections& database, std::chrono::days age = default_age)
        : database_(database), age_(age)
    {
    }
    ~AuditLog() { stop(); }

    void start(); // begins to remove old entries, once an hour
    void stop();

    // Empty optional: the cursor is not one.
    std::optional<AuditPage> list(const AuditQuery& query) const;
    // Of what changes nothing else.
    void record(std::string_view action, std::string_view subject, std::string_view detail = {});
    // Of what anybody can cause without access, at most a hundred and then one a second; others are left out
    // and are in the log of requests alone. May be lost by a power failure.
    void record_rejected(std::string_view action, std::string_view subject);
    // Returns their number.
    std::size_t remove_old();

private:
    DatabaseConnections& database_;
    const std::chrono::days age_;
    std::mutex mutex_;
    Micros rejected_until_ = 0; // when all rejected entries so far were allowed, at one a second
    std::condition_variable_any stopped_;
    std::jthread thread_;
};

} // namespace vitrine::server
