#pragma once
// The certificate that new TLS connections get: loaded again when its files change, when asked to, and each
// day, so that no key of session tickets is in use for longer. A file that cannot be used leaves the old one
// in place, and is tried again.

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "server/net/transport/tls_context.hpp"

namespace vitrine::server {

class TlsCertificates {
public:
    enum class Severity : std::uint8_t { info, warning, error };
    // Called on the thread of this object.
    using Log = std::function<void(Severity severity, const std::string& text)>;

    // Loads the files: throws std::runtime_error with one sentence. Starts a thread that looks at them after
    // each interval; it reads changed files when they are the same after one more, because certificate and
    // key are not written at once. Files that could not be used are read again after 30 intervals.
    TlsCertificates(TlsFiles files, Log log, std::chrono::milliseconds interval = std::chrono::seconds(2));
    ~TlsCertificates(); // ends the thread
    TlsCertificates(const TlsCertificates&) = delete;
    TlsCertificates& operator=(const TlsCertificates&) = delete;

    // Any thread.
    std::shared_ptr<const TlsContext> current() const;
    // Any thread: loads the files again, also unchanged ones.
    void request_reload();
    // How often the thread has looked at the files, and done what followed. Any thread.
    std::uint64_t looks() const { return looks_; }

private:
    struct FileStamp { // of one version of a file
        std::uint64_t device = 0, inode = 0, size = 0;
        std::int64_t changed_s = 0, changed_ns = 0;
        bool operator==(const FileStamp&) const = default;
    };
    using Stamps = std::array<FileStamp, 2>;
    Stamps look() const;
    void watch(const std::stop_token& stop);
    void reload();
    void report_failure(std::string why);
    void report_expiry();

    const TlsFiles files_;
    const Log log_;
    const std::chrono::milliseconds interval_;
    Stamps loaded_; // of the files that were loaded last, also of bad ones
    Stamps seen_;
    std::chrono::steady_clock::time_point reported_{}; // when a short time was reported
    std::chrono::steady_clock::time_point reload_at_;  // also of unchanged files
    std::string failure_;                              // of the last attempt; empty: none
    std::atomic<std::uint64_t> looks_ = 0;
    mutable std::mutex mutex_; // guards the members below
    std::shared_ptr<const TlsContext> current_;
    bool is_requested_ = false;
    std::condition_variable_any wake_;
    std::jthread thread_; // last, because it uses the members above
};

} // namespace vitrine::server
