#pragma once
// One HTTP request to the object store at a time per thread, over connections that are kept (libcurl).

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/util/files.hpp"

namespace vitrine::server {

// A part of a file that a request sends. The file outlives the request.
struct S3FilePart {
    const OpenFile* file = nullptr;
    std::filesystem::path path{}; // for errors
    std::uint64_t offset = 0;
    std::uint64_t size_bytes = 0;
};

struct S3HttpRequest {
    std::string method;
    std::string url;
    std::vector<std::string> headers{}; // "Name: value"
    std::string body{};
    std::optional<S3FilePart> part{}; // the body, instead of `body`
    // Takes the body of a 200 or 206; empty: it is kept in the reply, up to 4 MiB. May throw; the exception
    // ends the request and is thrown by send().
    std::function<void(std::span<const std::byte>)> sink{};
    std::chrono::seconds max_stall{10}; // at less than 1 KiB/s in both directions
};

struct S3HttpReply {
    long status = 0;       // 0: no answer
    std::string failure{}; // why there was none, or why it is not complete; empty: it is complete
    std::string body{};
    std::string etag{}; // with its quotes
    std::string request_id{};
    std::optional<std::uint64_t> size_bytes{};
    std::optional<std::int64_t> modified_s{}; // Last-Modified, seconds since 1970
    std::optional<std::int64_t> now_s{};      // Date
    unsigned retry_after_s = 0;
};

class S3Transport {
public:
    // `ca`: file with the certificates to trust; empty: those of the system. Loads libcurl; throws
    // std::runtime_error if it is not installed.
    explicit S3Transport(std::filesystem::path ca);
    ~S3Transport();
    S3Transport(const S3Transport&) = delete;
    S3Transport& operator=(const S3Transport&) = delete;

    // Any thread; blocks until the reply is complete or has failed, which it also does when the work of this
    // thread is stopped (loaders/base/stop.hpp). Redirects are not followed.
    S3HttpReply send(const S3HttpRequest& request);
    // All requests fail from now on, also those that are in progress.
    void interrupt() { interrupted_ = true; }
    bool is_interrupted() const { return interrupted_; }

private:
    void* take_handle();
    void give_back(void* handle);

    const std::filesystem::path ca_;
    std::atomic<bool> interrupted_ = false;
    std::mutex mutex_;                // guards the member below
    std::vector<void*> idle_handles_; // CURL*, each with its connection
};

} // namespace vitrine::server
