#pragma once
// The options of the blob store, which `serve` and `doctor` share.

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include "server/services/s3/s3_blob_store.hpp"

namespace CLI {
class App;
}

namespace vitrine::server {

struct BlobOptions {
    S3Settings s3{.location = "files"}; // or s3://BUCKET[/PREFIX]
    unsigned deadline_seconds = 20;     // of a call to the store with its repetitions
    std::uint64_t cache_mb = 10'240;    // MiB of local copies
    std::uint64_t grace_hours = 24;     // age of unused objects before they are removed
    unsigned redirect_seconds = 0;      // validity of links to the store; 0: no links
};

// Adds --blobs, --s3-* and --blob-*; `options` must outlive the parsing.
void declare_blobs(CLI::App& app, BlobOptions& options);
// Empty: files. Reads the environment and a file of keys. The error is one sentence.
std::expected<std::optional<S3BlobsConfig>, std::string> make_blobs_config(const BlobOptions& options);
// Writes, reads and removes a small object. The error is one sentence.
std::expected<std::string, std::string> check_blobs(const BlobOptions& options);

} // namespace vitrine::server
