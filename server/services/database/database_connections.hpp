#pragma once
// Database connections of the catalog: those that write and those that read. Opened when they are needed,
// opened again after the database was away. Maps database errors to StorageError. Any thread.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "server/services/database/database_connection.hpp"
#include "server/services/database/dialect.hpp"
#include "server/services/database/signals.hpp"
#include "server/util/generations.hpp"

namespace vitrine::server {

// Rolled back unless committed.
class Transaction {
public:
    Transaction(DatabaseConnection& sql, Durability durability);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

private:
    DatabaseConnection& sql_;
    bool open_ = true;
};

// A limited number of connections.
class ConnectionPool {
public:
    // `dialect` outlives the pool.
    ConnectionPool(const Dialect& dialect, unsigned size, bool writes);
    ~ConnectionPool();
    ConnectionPool(const ConnectionPool&) = delete;
    ConnectionPool& operator=(const ConnectionPool&) = delete;

    // One connection, given back by the destructor.
    class Lease {
    public:
        // Waits for a free connection. Throws StorageError: the database cannot be reached; immediately if
        // the last attempt was a moment ago.
        explicit Lease(ConnectionPool& pool);
        ~Lease();
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        DatabaseConnection& connection() const { return *connection_; }
        // It is not used again, nor those that were opened before: a server that was restarted has lost all.
        void discard();

    private:
        ConnectionPool& pool_;
        std::unique_ptr<DatabaseConnection> connection_;
    };

    const Dialect& dialect() const { return dialect_; }

private:
    std::unique_ptr<DatabaseConnection> open();

    const Dialect& dialect_;
    const bool writes_;
    std::mutex mutex_;
    std::condition_variable one_is_free_;
    std::vector<std::unique_ptr<DatabaseConnection>> free_; // null: not open
    std::chrono::steady_clock::time_point next_attempt_{};
    std::chrono::milliseconds pause_{0}; // between attempts; 0: the last one succeeded
};

class DatabaseConnections {
public:
    // Throws StorageError: the database cannot be opened.
    DatabaseConnections(std::unique_ptr<Dialect> dialect, unsigned readers);

    const Dialect& dialect() const { return *dialect_; }

    // Runs `work(sql)` in one transaction, which is durable when the call returns. Where several transactions
    // run at the same time, one that is undone because of the others is repeated: `work` is called again.
    template <class Work>
    auto write(Work work) -> std::invoke_result_t<Work&, DatabaseConnection&>
    {
        return transact(work, Durability::full);
    }

    // As write(), but may be undone by a power failure: for data that is invalid after a reboot. Other
    // writers do not wait for the disk. A later commit by write() makes it durable too.
    template <class Work>
    auto write_unsynced(Work work) -> std::invoke_result_t<Work&, DatabaseConnection&>
    {
        return transact(work, Durability::later);
    }

    // As write(), for work that begins its own transaction and may take long.
    template <class Work>
    void setup(Work work)
    {
        const StatementLimit limit(StatementLimit::of_tables);
        const ConnectionPool::Lease writer(writers_);
        try {
            work(writer.connection());
        } catch (const soci::soci_error& error) {
            throw dialect_->to_storage_error(error);
        }
    }

    // Changes of committed writes, of other processes too once start_listening() was called.
    const Generations& generations() const { return generations_; }
    Signals& signals() { return signals_; }
    void start_listening(); // returns when it listens

    template <class Work>
    auto read(Work work) -> std::invoke_result_t<Work&, DatabaseConnection&>
    {
        for (unsigned attempt = 1;; ++attempt) {
            ConnectionPool::Lease reader(readers_);
            try {
                return work(reader.connection());
            } catch (const soci::soci_error& error) {
                handle(reader, error, attempt, true);
            }
        }
    }

private:
    template <class Work>
    auto transact(Work& work, Durability durability) -> std::invoke_result_t<Work&, DatabaseConnection&>
    {
        for (unsigned attempt = 1;; ++attempt) {
            ConnectionPool::Lease writer(writers_);
            bool commits = false;
            try {
                return run(work, writer.connection(), durability, commits);
            } catch (const soci::soci_error& error) {
                handle(writer, error, attempt, !commits);
            }
        }
    }

    template <class Work>
    auto run(Work& work, DatabaseConnection& sql, Durability durability, bool& commits)
        -> std::invoke_result_t<Work&, DatabaseConnection&>
    {
        Transaction transaction(sql, durability);
        if constexpr (std::is_void_v<std::invoke_result_t<Work&, DatabaseConnection&>>) {
            work(sql);
            commit(sql, transaction, commits);
        } else {
            auto result = work(sql);
            commit(sql, transaction, commits);
            return result;
        }
    }

    void commit(DatabaseConnection& sql, Transaction& transaction, bool& commits);
    // Returns if the work may be repeated after a pause; otherwise throws the StorageError.
    void handle(ConnectionPool::Lease& lease, const soci::soci_error& error, unsigned attempt,
                bool nothing_committed) const;

    std::unique_ptr<Dialect> dialect_;
    Generations generations_;
    Signals signals_;
    ConnectionPool writers_;
    ConnectionPool readers_;
    std::jthread listener_; // last: ends before what it uses
};

} // namespace vitrine::server
