#pragma once
// What differs between the databases: how they are opened, how a transaction begins, how rows are locked, and
// the few words of SQL that are not the same. Everything else that the catalog says is read by both. Constant
// after construction, any thread.

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/database/database_connection.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

class Binds;

inline constexpr std::string_view catalog_file = "catalog.sqlite"; // of a data folder

// Words of SQL that each database spells in its own way.
struct SqlWords {
    std::string_view identity;     // type of a column whose ascending numbers the database gives
    std::string_view ordered_text; // type of a text column that is sorted by its bytes
    std::string_view like;         // compares with a pattern; ASCII letters without case
    std::string_view ascii_case;   // after a pattern of ASCII: ignores the case of ASCII letters only, faster
    std::string_view unindexed;    // before a column or expression: no index of its own is read
    std::string_view
        whole_order; // after `assets a`: reads the index of the default order, which has all filters
    std::string_view lock_row;    // end of a SELECT: others change the rows after this transaction
    std::string_view skip_locked; // as lock_row, but passes over rows that others have locked
};

// What is called about the commits of other processes.
struct DatabaseListener {
    std::function<void(std::span<const std::string> ids)> on_changed; // assets
    std::function<void(const SentSignal& signal)> on_signal;
    // false: commits may be missed from now on; true: they are not.
    std::function<void(bool hears)> on_hears;
};

class Dialect {
public:
    virtual ~Dialect() = default;

    virtual SqlWords words() const = 0;
    // Functions and triggers that statements of the catalog rely on; now_micros() is the time of the
    // database, in microseconds since 1970. After the table `assets` exists.
    virtual std::vector<std::string> functions() const = 0;
    // Creates the search of the first schema, which the tenth migration drops.
    virtual std::vector<std::string> create_first_search() const = 0;
    // Creates the table asset_search (rowid, and `columns` of text) and its index of trigrams.
    virtual std::vector<std::string> create_search(std::span<const std::string_view> columns) const = 0;
    // Creates that index where it is missing and can be made: at each start, after the migrations.
    virtual std::vector<std::string> complete_search(std::span<const std::string_view> columns) const = 0;
    // Fills asset_search (name, tags, clips, joints, materials) from the documents of an earlier version.
    virtual std::vector<std::string> copy_names_to_search() const = 0;
    // Condition on a row `s` of asset_search which the index of trigrams answers: each of the `words`, of
    // three characters and more, is part of one of the columns, ASCII letters without case.
    // `limit`: that many of the rows suffice; 0: all.
    virtual std::string search_condition(std::span<const std::string_view> columns,
                                         std::span<const std::string> words, Binds& binds,
                                         std::size_t limit) const = 0;

    // Throws soci::soci_error. `writes`: the connection has DatabaseConnection::changes.
    virtual std::unique_ptr<DatabaseConnection> connect(bool writes) const = 0;
    // Transactions that run at the same time; 1: each waits for the one before it.
    virtual unsigned writers() const = 0;
    virtual bool is_shared() const = 0; // several processes may use the database at the same time
    virtual void begin(DatabaseConnection& sql, Durability durability) const = 0;
    // Waits for other transactions that have locked one of the names, until the end of this one.
    virtual void lock_names(DatabaseConnection& sql, std::vector<std::string> names) const = 0;
    // As lock_names(), of a name that is held for moments: waits 20 seconds at most, and a process that stops
    // in the middle of its transaction loses it after 10.
    virtual void lock_briefly(DatabaseConnection& sql, const std::string& name) const = 0;

    // Ends the run of a prepared statement, which holds no rows, locks and values afterwards.
    virtual void finish(soci::statement& statement) const = 0;
    // Whether the connection cannot be used any more, or its prepared statements cannot.
    virtual bool is_lost(DatabaseConnection& sql, const soci::soci_error& error) const = 0;
    // Whether this thread gave up its last wait for the server (StatementLimit): again it would take as long.
    virtual bool was_given_up() const = 0;
    // Ends the connection without a word to the server.
    virtual void hang_up(DatabaseConnection& sql) const = 0;
    // Whether the transaction was undone because of others, and may succeed when it is repeated.
    virtual bool is_conflict(const soci::soci_error& error) const = 0;
    virtual StorageError to_storage_error(const soci::soci_error& error) const = 0;

    virtual std::string describe(DatabaseConnection& sql) const = 0; // name and version

    // Tells other processes of the signals when the transaction commits.
    virtual void send(DatabaseConnection& sql, std::span<const SentSignal> signals) const = 0;
    // Calls the listener about commits of other processes, until the stop. Returns immediately where no other
    // process can write.
    virtual void listen(const std::stop_token& stop, const DatabaseListener& listener) const = 0;
};

// `location`: a URL postgres://... or postgresql://..., or the path of a file of SQLite.
std::unique_ptr<Dialect> make_dialect(const std::string& location);
// Connects, and returns its name and version, or why it cannot be reached.
std::expected<std::string, std::string> describe_database(const std::string& location);
// Seconds by which the clock of a database of PostgreSQL is ahead of that of this machine; 0 for SQLite;
// empty: it cannot be reached.
std::optional<double> clock_difference(const std::string& location);
// Without the password.
std::string printable_location(const std::string& location);
bool is_postgres(std::string_view location);

// For LIKE with ESCAPE '\\': text that contains the word; the text itself.
std::string like_pattern(std::string_view word);
std::string escape_like(std::string_view text);

std::unique_ptr<Dialect> make_sqlite_dialect(const std::string& file);
std::unique_ptr<Dialect> make_postgres_dialect(const std::string& url);

} // namespace vitrine::server
