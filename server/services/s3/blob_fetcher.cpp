#include "server/services/s3/blob_fetcher.hpp"

#include <span>

#include <spdlog/spdlog.h>

namespace vitrine::server {

Result<LocalBlob> BlobFetcher::fetch(const std::string& key, const std::string& hash)
{
    return flights_.run(key, [&] { return transfer(key, hash); });
}

// Bytes that were damaged on their way are fetched once more.
Result<LocalBlob> BlobFetcher::transfer(const std::string& key, const std::string& hash)
{
    if (auto local = cache_.find(hash)) return std::move(*local); // fetched since
    for (int attempt = 0; attempt < 2; ++attempt) {
        HashedFile file(temporary_);
        if (!client_.get(key, [&](std::span<const std::byte> bytes) { file.write(bytes); }))
            return missing_blob(hash);
        if (file.finish() == hash) return cache_.adopt(hash, file);
    }
    spdlog::error("msg=\"an object of the store has other bytes than were uploaded\" key={}", key);
    return make_error(Errc::unavailable, blob_corrupt,
                      "The store has other bytes than were uploaded; upload the file again to repair it.");
}

} // namespace vitrine::server
