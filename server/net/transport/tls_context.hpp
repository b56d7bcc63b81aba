#pragma once
// What TLS connections share: of those to the server, certificate, key and the settings of handshakes.
// TLS 1.2 with ephemeral keys and authenticated ciphers, and TLS 1.3; sessions are resumed by tickets, whose
// key belongs to the context; the only application protocol is HTTP/1.1.

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

    // For connections to a server: its certificate must be one of `host`, a name or an IP address, from one
    // of the authorities (PEM; empty: those of the system), which may take milliseconds to read.
    static std::expected<std::shared_ptr<const TlsContext>, std::string>
    for_client(const std::filesystem::path& authorities, const std::string& host);

    ssl_ctx_st* get() const { return context_.get(); }
    bool is_client() const { return is_client_; }
    const std::string& host() const { return host_; }       // of for_client(), if it is a name
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
    bool is_client_ = false;
    std::string host_;
};

// A certificate with less time left is reported.
constexpr std::chrono::days short_tls_expiry{14};

// tls_chain.cpp. Returns the subject of a certificate whose issuer is neither in the file nor among the
// authorities of the system, although it names an address for it (RFC 5280, 4.2.2.1), as those of public
// authorities do: browsers may fetch the issuer, programs do not. Empty: there is none. Reads the authorities
// of the system (SSL_CERT_FILE), which takes milliseconds.
std::string missing_issuer(const TlsContext& context);

} // namespace vitrine::server
