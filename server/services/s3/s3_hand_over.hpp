#pragma once
// Files that one process hands over to another for one request, as objects PREFIX/handed/PLACE/HASH. Each
// request has a place of its own, and nothing else refers to it, so that its objects are removed without
// regard to blobs of the same content. Those of a killed process are removed by the collection of blobs, when
// they are as old as these. Any thread, blocking.

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "server/services/s3/blob_cache.hpp"
#include "server/services/s3/s3_client.hpp"

namespace vitrine::server {

std::string handed_over_key(const std::string& place, const std::string& hash);

class S3HandOver {
public:
    // `remover`: of objects. Both outlive the object.
    S3HandOver(S3Client& client, S3Client& remover);

    // Stores the local copies of these blobs, which are pinned. The last reference to the result lets a
    // thread remove the objects; it may outlive this object. Throws StorageError.
    BlobHandOver send(std::span<const std::string> hashes, BlobCache& cache);

private:
    // Shared with the results.
    struct Removals {
        void add(std::vector<std::string> keys);

        std::mutex mutex; // guards the member below
        std::condition_variable_any changed;
        std::deque<std::vector<std::string>> keys; // of requests that have ended
    };
    void remove_ended(const std::stop_token& stop);

    S3Client& client_;
    S3Client& remover_;
    const std::shared_ptr<Removals> removals_ = std::make_shared<Removals>();
    std::jthread thread_; // last, because it uses the members above
};

} // namespace vitrine::server
