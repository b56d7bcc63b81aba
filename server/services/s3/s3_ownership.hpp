#pragma once
// Whether the objects below a prefix are those of this server's catalog (the object PREFIX/owner says so),
// and which of them are damaged. Any thread.

#include <atomic>
#include <mutex>
#include <set>
#include <string>

#include "server/services/s3/s3_client.hpp"

namespace vitrine::server {

class BlobLedger; // server/services/catalog/blob_ledger.hpp

class S3Ownership {
public:
    // `client` outlives this object. `take_over`: from another catalog, at join().
    S3Ownership(S3Client& client, bool take_over) : client_(client), take_over_(take_over) {}

    // Claims the objects for the catalog of `ledger`. Throws StorageError `failed`: they are another's. If
    // the store gives no answer, require() and confirm() try again. Without join() all objects are this
    // server's.
    void join(BlobLedger& ledger);
    // Before objects are added. Throws StorageError: another catalog has them, or the store does not say.
    void require();
    // Before objects are removed; asks the store each time. Throws StorageError `unavailable`.
    bool confirm();

    bool is_damaged(const std::string& hash) const; // throws StorageError
    // Of all servers, or of this one if the catalog does not answer.
    void set_damaged(const std::string& hash, bool damaged);

private:
    S3Client& client_;
    const bool take_over_;
    BlobLedger* ledger_ = nullptr;       // set before other threads call
    std::atomic<bool> confirmed_ = true; // until join()
    mutable std::mutex mutex_;           // guards the member below
    std::set<std::string> damaged_{};    // as this process has found; objects that an upload replaces
};

} // namespace vitrine::server
