#pragma once
// Database connections of the catalog: one guarded writer and a pool of readers. Maps database errors to
// StorageError. Any thread.

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#include "server/services/database/change_tracker.hpp"
#include "server/services/database/database_connection.hpp"
#include "server/util/generations.hpp"

namespace vitrine::server {

// Rolled back unless committed. BEGIN IMMEDIATE: a second writer waits instead of failing in the middle.
class Transaction {
public:
    explicit Transaction(soci::session& sql);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

private:
    soci::session& sql_;
    bool open_ = true;
};

[[noreturn]] void rethrow_as_storage_error(const soci::soci_error& error);

class DatabaseConnections {
public:
    DatabaseConnections(const std::filesystem::path& file, unsigned readers);

    // Runs `work(sql)` in one transaction, which is durable when the call returns.
    template <class Work>
    auto write(Work work) -> std::invoke_result_t<Work&, DatabaseConnection&>
    {
        return transact(work, Sync::full);
    }

    // As write(), but may be undone by a power failure: for data that is invalid after a reboot. Other
    // writers do not wait for the disk. A later commit by write() makes it durable too.
    template <class Work>
    auto write_unsynced(Work work) -> std::invoke_result_t<Work&, DatabaseConnection&>
    {
        return transact(work, Sync::later);
    }

    // As write(), for work that begins its own transaction.
    template <class Work>
    void setup(Work work)
    {
        std::lock_guard lock(mutex_);
        try {
            work(writer_);
        } catch (const soci::soci_error& error) {
            rethrow_as_storage_error(error);
        }
    }

    // Changes of committed writes.
    const Generations& generations() const { return generations_; }

    template <class Work>
    auto read(Work work) -> std::invoke_result_t<Work&, DatabaseConnection&>
    {
        const Reader reader(*this);
        try {
            return work(reader.connection());
        } catch (const soci::soci_error& error) {
            rethrow_as_storage_error(error);
        }
    }

private:
    enum class Sync : std::uint8_t { full, later };

    // A reading connection, taken from the pool and given back. The constructor waits for a free one.
    class Reader {
    public:
        explicit Reader(DatabaseConnections& pool);
        ~Reader();
        Reader(const Reader&) = delete;
        Reader& operator=(const Reader&) = delete;
        DatabaseConnection& connection() const { return *connection_; }

    private:
        DatabaseConnections& pool_;
        std::unique_ptr<DatabaseConnection> connection_;
    };

    template <class Work>
    auto transact(Work& work, Sync sync) -> std::invoke_result_t<Work&, DatabaseConnection&>
    {
        std::lock_guard lock(mutex_);
        try {
            set_sync(sync);
            tracker_.begin();
            Transaction transaction(writer_);
            if constexpr (std::is_void_v<std::invoke_result_t<Work&, DatabaseConnection&>>) {
                work(writer_);
                const auto change = tracker_.changed();
                transaction.commit();
            } else {
                auto result = work(writer_);
                const auto change = tracker_.changed();
                transaction.commit();
                return result;
            }
        } catch (const soci::soci_error& error) {
            rethrow_as_storage_error(error);
        }
    }

    void set_sync(Sync sync); // must be called before a transaction

    std::mutex mutex_; // guards the writer and its tracker
    Generations generations_;
    DatabaseConnection writer_;
    ChangeTracker tracker_;
    Sync sync_ = Sync::full;

    std::mutex readers_mutex_;
    std::condition_variable reader_is_free_;
    std::vector<std::unique_ptr<DatabaseConnection>> readers_; // the free ones
};

} // namespace vitrine::server
