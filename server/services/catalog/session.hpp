#pragma once
// Connections of the catalog: one guarded writer, a pool of readers, and how their errors become
// StorageError.

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <type_traits>

#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

namespace vitrine::server {

// Rolled back unless committed. BEGIN IMMEDIATE: a writer that finds another waits instead of failing midway.
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

class Sessions {
public:
    Sessions(const std::filesystem::path& file, unsigned readers);

    // `work(sql)` inside one transaction, on the disk when it returns.
    template <class Work>
    auto write(Work work) -> std::invoke_result_t<Work&, soci::session&>
    {
        return transact(work, Sync::full);
    }

    // A power cut may undo it, nothing else does: for notes that mean nothing to another boot of the machine.
    // Who waits to write does not wait for the disk. What write() commits later makes it durable too.
    template <class Work>
    auto write_unsynced(Work work) -> std::invoke_result_t<Work&, soci::session&>
    {
        return transact(work, Sync::later);
    }

    // As write(), for the work that begins its own transaction.
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

    void set_sync(Sync sync); // before a transaction

    std::mutex mutex_;
    soci::session writer_;
    Sync sync_ = Sync::full;
    soci::connection_pool readers_;
};

} // namespace vitrine::server
