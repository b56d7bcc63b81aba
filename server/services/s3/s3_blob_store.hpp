#pragma once
// Blobs as objects of an S3 store that several servers share: PREFIX/blobs/HASH. Uploads are written to the
// local copies (BlobCache) and sent to the store by make_durable(); reads come from the local copies, which
// are fetched and compared with their hash.
//
// All servers have one catalog, whose name is in PREFIX/owner (s3_ownership.hpp).
//
// Removal is safe with any number of servers, without conditional requests: a blob is removed only if nothing
// refers to it and it was written longer than `grace` ago, and
//   - who removes writes PREFIX/removing/HASH, then looks at the age and the references, then removes the
//     blob, all of it within `mark_life`;
//   - who uploads writes the blob, unless it is there and young (half of `grace`, at most 3 hours), waits
//     until there is no mark younger than `mark_life`, then looks whether the blob is still there, and begins
//     again if not.
// Either the one sees the young blob, or the other sees the mark. Marks are removed long after the blob.
// This needs reads that see completed writes (AWS since 2020, Ceph, MinIO, Swift with one replica or quorum
// reads), and less than a quarter of `grace` (at most 90 minutes) between make_durable() and the reference in
// the catalog. Times are those of the store. Servers may have different options: the life of marks and the
// time for which blobs are young do not depend on them if every `grace` is at least 6 hours.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>

#include <prometheus/registry.h>

#include "server/services/s3/s3_options.hpp"
#include "server/services/storage/blob_store.hpp"

namespace vitrine::server {

struct S3BlobsConfig {
    S3Options store;
    std::uint64_t cache_bytes = 10ull << 30; // of local copies
    std::chrono::seconds grace{24 * 3600};   // age of a blob without references before it is removed
    bool take_over = false;                  // PREFIX may belong to another catalog
    unsigned redirect_seconds = 0;           // validity of download_url(); 0: none are given
    // Equal on all servers; half of it is longer than a removal with its repetitions takes.
    std::chrono::seconds mark_life{90};
    std::chrono::seconds first_collection{3600}; // after the start: time to notice a wrong catalog
};

// Copies are kept in data/blob-cache, temporary files in data/tmp, which is emptied. Throws StorageError, and
// std::runtime_error if libcurl is not installed; the store need not answer yet.
std::unique_ptr<BlobStore> make_s3_blob_store(const std::filesystem::path& data, const S3BlobsConfig& config,
                                              prometheus::Registry& registry);

} // namespace vitrine::server
