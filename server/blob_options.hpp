#pragma once
// The options of the blob store, which `serve` and `doctor` share, and of the shared store of derived files.

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "server/services/s3/s3_blob_store.hpp"
#include "server/services/s3/s3_derived_store.hpp"

namespace CLI {
class App;
}

namespace vitrine::server {

struct BlobOptions {
    S3Settings s3{.location = "files"}; // or file:FOLDER, or s3://BUCKET[/PREFIX][?PARAMETERS]
    unsigned deadline_seconds = 20;     // of a call to the store with its repetitions
    std::uint64_t cache_mb = 10'240;    // MiB of local copies
    std::uint64_t grace_hours = 24;     // age of unused objects before they are removed
    unsigned redirect_seconds = 0;      // validity of links to the store; 0: no links
    bool take_over = false;             // the objects may belong to another catalog
    // Where derived files are shared: s3://BUCKET[/PREFIX], a folder, none, or auto: where the blobs are if
    // these are in an object store.
    std::string derived = "auto";
    std::uint64_t shared_derived_mb = 102'400; // MiB, limit of the shared derived files
};

// Adds the options that say where an object store is and how to sign in; not --blobs.
void declare_store(CLI::App& app, S3Settings& s3);
// Adds --blobs, --s3-* and --blob-*; `options` must outlive the parsing.
void declare_blobs(CLI::App& app, BlobOptions& options);
// The settings with the parameters of the location, ?endpoint=URL&region=NAME&path-style=1, in the members
// that they stand for, and without them in the location. The error is one sentence: an unknown parameter, or
// one that contradicts a member.
std::expected<S3Settings, std::string> read_s3_parameters(S3Settings settings);
// The folder of "file:FOLDER" and "files:FOLDER", as it is written, maybe empty; nullopt: another form.
std::optional<std::filesystem::path> blob_folder(std::string_view location);
// Empty: files. Reads the environment and a file of keys. The error is one sentence.
std::expected<std::optional<S3BlobsConfig>, std::string> make_blobs_config(const BlobOptions& options);
// Empty: derived files are not shared. `data`: the data folder. The error is one sentence.
std::expected<std::optional<SharedDerivedConfig>, std::string>
make_shared_derived(const BlobOptions& options, const std::filesystem::path& data);
// Writes, reads and removes a small object. The error is one sentence.
std::expected<std::string, std::string> check_blobs(const BlobOptions& options);

} // namespace vitrine::server
