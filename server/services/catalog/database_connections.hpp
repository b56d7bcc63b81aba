#pragma once
// Database connections of the catalog: one guarded writer and a pool of readers. Maps database errors to
// StorageError.

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <type_traits>

#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

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
    auto write(Work work) -> std::invoke_result_t<Work&, soci::session&>
    {
        return transact(work, Sync::full);
    }

    // As write(), but may be undone by a power failure: for data that is invalid after a reboot. Other
    // writers do not wait for the disk. A later commit by write() makes it durable too.
    template <class Work>
    auto write_unsynced(Work work) -> std::invoke_result_t<Work&, soci::session&>
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

    template <class Work>
    auto read(Work work) -> std::invoke_result_t<Work&, soci::session&>
    {
        try {
            soci::session sql(readers_);
            return work(sql);
        } catch (const soci::soci_error& error) {
            rethrow_as_storage_error(error);
        }
    }

private:
    enum class Sync : std::uint8_t { full, later };

    template <class Work>
    auto transact(Work& work, Sync sync) -> std::invoke_result_t<Work&, soci::session&>
    {
        std::lock_guard lock(mutex_);
        try {
            set_sync(sync);
            Transaction transaction(writer_);
            if constexpr (std::is_void_v<std::invoke_result_t<Work&, soci::session&>>) {
                work(writer_);
                transaction.commit();
            } else {
                auto result = work(writer_);
                transaction.commit();
                return result;
            }
        } catch (const soci::soci_error& error) {
            rethrow_as_storage_error(error);
        }
    }

    void set_sync(Sync sync); // must be called before a transaction

    std::mutex mutex_;
    soci::session writer_;
    Sync sync_ = Sync::full;
    soci::connection_pool readers_;
};

} // namespace vitrine::server
