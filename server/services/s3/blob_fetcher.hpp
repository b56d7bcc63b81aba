#pragma once
// Copies objects to the local copies of blobs (BlobCache). Any thread, blocking.

#include <filesystem>
#include <string>
#include <utility>

#include "server/services/s3/blob_cache.hpp"
#include "server/services/s3/s3_client.hpp"
#include "server/util/error.hpp"
#include "server/util/single_flight.hpp"

namespace vitrine::server {

inline constexpr const char* blob_corrupt = "blob_corrupt"; // code of an error

class BlobFetcher {
public:
    // `temporary`: a folder for files in transfer. All outlive the object.
    BlobFetcher(S3Client& client, BlobCache& cache, std::filesystem::path temporary)
        : client_(client), cache_(cache), temporary_(std::move(temporary))
    {
    }

    // Returns a copy of the object, whose bytes have the hash. Calls for the same object at the same time
    // fetch it once. Errors: not_found ("blob_missing"), unavailable (blob_corrupt). Throws StorageError.
    Result<LocalBlob> fetch(const std::string& key, const std::string& hash);

private:
    Result<LocalBlob> transfer(const std::string& key, const std::string& hash);

    S3Client& client_;
    BlobCache& cache_;
    const std::filesystem::path temporary_;
    SingleFlight<Result<LocalBlob>> flights_; // by key
};

} // namespace vitrine::server
