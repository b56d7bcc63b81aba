#pragma once
// Uploads that arrive in pieces, over several requests and at any process. Each piece becomes a blob before
// it is acknowledged; the rows of the table say which blobs an upload has. A finished upload becomes a file
// of new assets. Any thread, blocking. Throws StorageError.

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "server/services/catalog/records.hpp"
#include "server/services/storage/blob_store.hpp"
#include "server/services/uploads/upload_table.hpp"

namespace vitrine::server {

class UploadStore {
public:
    // Both outlive the object.
    UploadStore(DatabaseConnections& database, BlobStore& blobs, const UploadLimits& limits);

    // A thread removes expired uploads until stop().
    void start();
    void stop();

    // Both return the new upload, with an id. Errors: those of UploadTable.
    Result<OpenUpload> create(OpenUpload upload);
    Result<OpenUpload> join(OpenUpload upload); // a finished one, of its partials
    Result<OpenUpload> find(const std::string& id) const { return table_.find(id); }
    Result<OpenUpload> set_length(const std::string& id, std::uint64_t length)
    {
        return table_.set_length(id, length);
    }
    std::unique_ptr<BlobWriter> write_part() { return blobs_.create(); }
    // Appends the bytes of write_part() at `offset`: durable when it returns. Errors: those of UploadTable.
    Result<OpenUpload> append(const std::string& id, std::uint64_t offset, BlobWriter& part);
    // The bytes of a finished upload as one pinned blob; not durable if it has several parts. Errors:
    // conflict ("upload_unfinished"), those of BlobStore::find_local().
    Result<FileRecord> read_file(const OpenUpload& upload);
    // With the partial uploads that it was made of. Returns false if there is none.
    bool remove(const OpenUpload& upload);
    void remove_expired();

private:
    Result<BlobRef> assemble(const std::vector<UploadedPart>& parts);
    void work(const std::stop_token& stop);

    UploadTable table_;
    BlobStore& blobs_;
    std::mutex mutex_; // of `stopped_`
    std::condition_variable_any stopped_;
    std::jthread thread_; // last, because it uses the members above
};

} // namespace vitrine::server
