#pragma once
// The collection of blobs that nothing refers to, page by page. All functions are called on the thread of the
// BlobGarbageCollector.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "server/services/s3/s3_blob_store.hpp"
#include "server/services/s3/s3_client.hpp"
#include "server/services/s3/s3_ownership.hpp"

namespace vitrine::server {

class S3Collection {
public:
    // All outlive the object.
    S3Collection(const S3BlobsConfig& config, S3Client& client, S3Ownership& ownership)
        : config_(config), client_(client), ownership_(ownership)
    {
    }

    // As BlobStore's.
    std::vector<std::string> wait_for_candidates(const std::stop_token& stop);

private:
    std::vector<std::string> next_candidates();
    bool wait_until(std::chrono::steady_clock::time_point time, const std::stop_token& stop);

    const S3BlobsConfig& config_;
    S3Client& client_;
    S3Ownership& ownership_;
    const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    std::string continuation_; // of the collection in progress
    std::mutex mutex_;         // of `stopped_`
    std::condition_variable_any stopped_;
};

} // namespace vitrine::server
