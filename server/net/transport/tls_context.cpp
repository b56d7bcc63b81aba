#include "server/net/transport/tls_context.hpp"

#include <array>
#include <cerrno>
#include <ctime>
#include <system_error>

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vitrine::server {
namespace {

using Error = std::unexpected<std::string>;

constexpr off_t max_pem_bytes = 1 << 20;
constexpr long ticket_seconds = 2 * 60 * 60;

// Of Mozilla's intermediate profile (version 5.7), for TLS 1.2; those of TLS 1.3 are OpenSSL's.
constexpr const char* ciphers =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";

constexpr std::array<unsigned char, 9> alpn{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

struct FreeBio {
    void operator()(BIO* bio) const { BIO_free(bio); }
};
struct FreeCertificate {
    void operator()(X509* certificate) const { X509_free(certificate); }
};
struct FreeKey {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
using CertificatePtr = std::unique_ptr<X509, FreeCertificate>;
using KeyPtr = std::unique_ptr<EVP_PKEY, FreeKey>;

// The reason of OpenSSL's last error; clears its queue.
std::string last_reason()
{
    const auto code = ERR_peek_last_error();
    ERR_clear_error();
    const char* reason = ERR_reason_error_string(code);
    return reason != nullptr ? reason : "unknown error";
}

// `name`: "--tls-cert FILE".
std::expected<std::string, std::string> read_pem(const std::filesystem::path& file, const std::string& name)
{
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0 && errno == ENOENT) return Error(name + " does not exist");
    if (descriptor < 0)
        return Error(fmt::format("{} cannot be read: {}", name, std::generic_category().message(errno)));
    struct stat status{};
    std::string text;
    const bool is_file = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    if (is_file && status.st_size <= max_pem_bytes) {
        text.resize(static_cast<std::size_t>(status.st_size));
        const auto got = ::pread(descriptor, text.data(), text.size(), 0);
        text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    }
    ::close(descriptor);
    if (!is_file || status.st_size > max_pem_bytes) return Error(name + " is not a PEM file");
    return text;
}

std::unique_ptr<BIO, FreeBio> bio_of(const std::string& text)
{
    return std::unique_ptr<BIO, FreeBio>(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// Gives the context the first certificate and those behind it, and returns the first.
std::expected<CertificatePtr, std::string> use_certificates(SSL_CTX* context, const std::string& pem,
                                                            const std::string& name)
{
    const auto bio = bio_of(pem);
    CertificatePtr own(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
    if (!own) return Error(name + " contains no PEM certificate");
    if (SSL_CTX_use_certificate(context, own.get()) != 1)
        return Error(fmt::format("{} cannot be used: {}", name, last_reason()));
    for (;;) {
        const CertificatePtr issuer(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
        if (!issuer) break;
        if (SSL_CTX_add1_chain_cert(context, issuer.get()) != 1)
            return Error(fmt::format("{} cannot be used: {}", name, last_reason()));
    }
    const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
    ERR_clear_error();
    if (!at_end) return Error(name + " contains a damaged certificate behind the first");
    return own;
}

int reject_passphrase(char*, int, int, void* was_asked)
{
    *static_cast<bool*>(was_asked) = true;
    return -1;
}

std::expected<KeyPtr, std::string> read_key(const std::string& pem, const std::string& name)
{
    const auto bio = bio_of(pem);
    bool is_encrypted = false;
    KeyPtr key(PEM_read_bio_PrivateKey(bio.get(), nullptr, reject_passphrase, &is_encrypted));
    ERR_clear_error();
    if (is_encrypted)
        return Error(name + " is encrypted with a passphrase; write it without one: openssl pkey -in KEY "
                            "-out PLAIN_KEY");
    if (!key) return Error(name + " contains no PEM private key");
    return key;
}

// Called for clients that offer protocols (RFC 7301).
int select_protocol(SSL*, const unsigned char** out, unsigned char* out_size, const unsigned char* offered,
                    unsigned int offered_size, void*)
{
    auto** const chosen = const_cast<unsigned char**>(out);
    const int found =
        SSL_select_next_proto(chosen, out_size, alpn.data(), alpn.size(), offered, offered_size);
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

bool apply_settings(SSL_CTX* context)
{
    constexpr std::array<unsigned char, 7> id{'v', 'i', 't', 'r', 'i', 'n', 'e'};
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF); // the tickets hold the sessions
    SSL_CTX_set_timeout(context, ticket_seconds);
    SSL_CTX_set_alpn_select_cb(context, select_protocol, nullptr);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
           SSL_CTX_set_cipher_list(context, ciphers) == 1 &&
           SSL_CTX_set_session_id_context(context, id.data(), id.size()) == 1;
}

std::chrono::sys_seconds end_of(const X509* certificate)
{
    std::tm time{};
    if (ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) != 1) return {};
    return std::chrono::sys_seconds(std::chrono::seconds(::timegm(&time)));
}

std::string subject_of(X509* certificate)
{
    std::array<char, 256> text{};
    X509_NAME_oneline(X509_get_subject_name(certificate), text.data(), static_cast<int>(text.size()));
    return text.data();
}

} // namespace

void TlsContext::Free::operator()(ssl_ctx_st* context) const
{
    SSL_CTX_free(context);
}

std::expected<std::shared_ptr<const TlsContext>, std::string> TlsContext::load(const TlsFiles& files)
{
    const auto certificate_name = "--tls-cert " + files.certificate.string();
    const auto key_name = "--tls-key " + files.key.string();
    const auto certificate_pem = read_pem(files.certificate, certificate_name);
    if (!certificate_pem) return Error(certificate_pem.error());
    const auto key_pem = read_pem(files.key, key_name);
    if (!key_pem) return Error(key_pem.error());
    std::shared_ptr<TlsContext> made(new TlsContext);
    made->context_.reset(SSL_CTX_new(TLS_server_method()));
    if (!made->context_ || !apply_settings(made->get()))
        return Error("OpenSSL cannot make a context: " + last_reason());
    const auto certificate = use_certificates(made->get(), *certificate_pem, certificate_name);
    if (!certificate) return Error(certificate.error());
    const auto key = read_key(*key_pem, key_name);
    if (!key) return Error(key.error());
    if (X509_check_private_key(certificate->get(), key->get()) != 1) {
        ERR_clear_error();
        return Error(
            fmt::format("{} is not the key of the first certificate of {}", key_name, certificate_name));
    }
    if (SSL_CTX_use_PrivateKey(made->get(), key->get()) != 1)
        return Error(fmt::format("{} cannot be used: {}", key_name, last_reason()));
    made->subject_ = subject_of(certificate->get());
    made->expires_ = end_of(certificate->get());
    return made;
}

std::expected<std::shared_ptr<const TlsContext>, std::string>
TlsContext::for_client(const std::filesystem::path& authorities, const std::string& host)
{
    std::shared_ptr<TlsContext> made(new TlsContext);
    made->context_.reset(SSL_CTX_new(TLS_client_method()));
    if (!made->context_ || SSL_CTX_set_min_proto_version(made->get(), TLS1_2_VERSION) != 1 ||
        SSL_CTX_set_cipher_list(made->get(), ciphers) != 1)
        return Error("OpenSSL cannot make a context: " + last_reason());
    const int read = authorities.empty()
                         ? SSL_CTX_set_default_verify_paths(made->get())
                         : SSL_CTX_load_verify_locations(made->get(), authorities.c_str(), nullptr);
    if (read != 1)
        return Error(fmt::format("the certificates of {} cannot be read: {}",
                                 authorities.empty() ? "the system" : authorities.string(), last_reason()));
    SSL_CTX_set_verify(made->get(), SSL_VERIFY_PEER, nullptr);
    auto* const expected = SSL_CTX_get0_param(made->get());
    const bool is_address = X509_VERIFY_PARAM_set1_ip_asc(expected, host.c_str()) == 1;
    ERR_clear_error();
    if (!is_address && X509_VERIFY_PARAM_set1_host(expected, host.c_str(), host.size()) != 1)
        return Error(host + " is no name of a host");
    made->is_client_ = true;
    made->host_ = is_address ? "" : host;
    return made;
}

std::chrono::days TlsContext::days_left() const
{
    return std::chrono::floor<std::chrono::days>(expires_ - std::chrono::system_clock::now());
}

std::string TlsContext::expiry_text() const
{
    const auto day = std::chrono::floor<std::chrono::days>(expires_);
    const auto days = days_left().count();
    if (days < 0) return fmt::format("has expired on {:%Y-%m-%d}", std::chrono::sys_seconds(day));
    return fmt::format("expires on {:%Y-%m-%d}, in {} days", std::chrono::sys_seconds(day), days);
}

} // namespace vitrine::server
