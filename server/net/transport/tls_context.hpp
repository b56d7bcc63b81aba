#pragma once
// What TLS connections of the server share: certificate, key and the settings of handshakes. TLS 1.2 with
// ephemeral keys and authenticated ciphers, and TLS 1.3; sessions are resumed by tickets, whose key belongs
// to the context; the only application protocol is HTTP/1.1.

#include <chrono>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>

struct ssl_ctx_st; // OpenSSL's SSL_CTX

namespace vitrine::server {

struct TlsFiles {
    std::filesystem::path certificate; // PEM: that of the server, then those that lead to its issuer
    std::filesystem::path key;         // PEM, without a passphrase

    bool operator==(const TlsFiles&) const = default;
};

// Immutable; any thread. Connections keep the context that they began with.
class TlsContext {
public:
    // The error is one sentence that names the file.
    static std::expected<std::shared_ptr<const TlsContext>, std::string> load(const TlsFiles& files);

    ssl_ctx_st* get() const { return context_.get(); }
    const std::string& subject() const { return subject_; } // "/CN=models.example.com"; may be empty
    std::chrono::sys_seconds expires() const { return expires_; }
    // "expires on 2026-12-31, in 34 days" or "has expired on 2026-10-01".
    std::string expiry_text() const;
    std::chrono::days days_left() const;

private:
    struct Free {
        void operator()(ssl_ctx_st* context) const;
    };
    TlsContext() = default;

    std::unique_ptr<ssl_ctx_st, Free> context_;
    std::string subject_;
    std::chrono::sys_seconds expires_{};
};

// A certificate with less time left is reported.
constexpr std::chrono::days short_tls_expiry{14};

} // namespace vitrine::server
