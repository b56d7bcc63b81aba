#pragma once
// A connection to the database with its prepared statements. Used by one thread at a time.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <soci/soci.h>

#include "server/services/database/prepared_statement.hpp"
#include "server/services/database/statement_cache.hpp"

namespace vitrine::server {

// Finds out which assets a transaction has changed, from the database itself, so that no write can forget to
// say so. Every write of an asset's rows (versions, files, documents) must also change its row in `assets`,
// as it does by the revision.
class ChangeTracker {
public:
    virtual ~ChangeTracker() = default;
    virtual void begin() = 0; // of a transaction
    // Call just before the commit. Returns the ids of the changed assets; empty optional: all may have
    // changed.
    virtual std::optional<std::vector<std::string>> changed() = 0;
};

class Dialect;

struct SentSignal {
    std::string topic;
    std::string text;
    bool operator==(const SentSignal&) const = default;
};

// Whether a commit must survive a power failure when it returns.
enum class Durability : std::uint8_t { full, later };

struct DatabaseConnection : soci::session {
    explicit DatabaseConnection(const Dialect& dialect_) : dialect(dialect_) {}

    StatementRun operator<<(std::string_view text) { return {*this, text}; }
    const StatementPreparer prepare{*this};

    const Dialect& dialect; // outlives the connection
    StatementCache statements;
    std::optional<Durability> durability;   // which the database keeps for this connection
    std::unique_ptr<ChangeTracker> changes; // null: a connection that only reads
    std::vector<SentSignal> signals;        // of the current transaction
};

// How long this thread waits for one statement, or for a lock, of a database that is a server; longer, and
// the connection is lost. Holds until the destructor, which restores the limit before.
class StatementLimit {
public:
    static constexpr std::chrono::seconds default_limit{60};
    static constexpr std::chrono::seconds of_locks{11 * 60};       // more than lock_names() waits
    static constexpr std::chrono::seconds of_tables{24 * 60 * 60}; // migrations and moves

    explicit StatementLimit(std::chrono::seconds limit);
    ~StatementLimit();
    StatementLimit(const StatementLimit&) = delete;
    StatementLimit& operator=(const StatementLimit&) = delete;
    static std::chrono::seconds current(); // of this thread

private:
    const std::chrono::seconds before_;
};

// Sends a signal (signals.hpp) when the transaction commits; equal ones of a transaction are one. Best effort
// where several processes share the database: receivers look for themselves now and then. `topic`: a word;
// `text`: where they share it, without line breaks and at most 1000 bytes.
void send_signal(DatabaseConnection& sql, std::string_view topic, std::string_view text = "changed");

} // namespace vitrine::server
