#pragma once
// Where the object store is and how to sign in, from the command line, the environment and a file of keys.

#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>

#include "server/services/s3/sigv4.hpp"

namespace vitrine::server {

// As given; empty: the default.
struct S3Settings {
    std::string location;              // s3://BUCKET[/PREFIX]
    std::string endpoint;              // http[s]://HOST[:PORT]; default: AWS in the region
    std::string region;                // default: AWS_REGION, then us-east-1
    std::string addressing = "auto";   // auto, path or host
    std::filesystem::path credentials; // file with the keys; default: AWS_ACCESS_KEY_ID and others
    std::filesystem::path ca; // PEM file with the certificates to trust; default: those of the system
};

struct S3Options {
    std::string bucket;
    std::string prefix; // of all keys; empty or ends with '/'
    std::string scheme; // "http" or "https"
    std::string host;   // with the port, as in the header Host; without the bucket
    std::string region;
    bool path_style = true; // the bucket is in the path, not in the host name
    S3Keys keys;
    std::filesystem::path credentials; // the file of `keys`, which may change; empty: the environment
    std::filesystem::path ca;
    std::chrono::milliseconds deadline{20'000}; // of a call with its retries, from its last progress
    std::chrono::seconds max_stall{10};         // of a request at less than 1 KiB/s in both directions
    unsigned page_objects = 1000;               // of a list; stores give up to 1000
    std::uint64_t part_bytes = 16ull << 20;     // larger objects are sent in parts of this size or more

    std::string url() const { return scheme + "://" + host; } // of the endpoint
};

// Whether the setting `--blobs` names an object store.
bool is_s3_location(const std::string& location);
// Reads the profile `default` of a file in the format of ~/.aws/credentials; lines before the first profile
// belong to it. The error is one sentence without keys.
std::expected<S3Keys, std::string> read_s3_keys(const std::filesystem::path& file);
// Reads the file and the environment; call it before threads are started. The error is one sentence without
// keys.
std::expected<S3Options, std::string> make_s3_options(const S3Settings& settings);

} // namespace vitrine::server
