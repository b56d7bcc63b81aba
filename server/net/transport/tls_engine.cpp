#include "server/net/transport/tls_engine.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

namespace vitrine::server {
namespace {

constexpr std::size_t max_consumed = 32 * 1024; // bytes kept in memory after they were sent

} // namespace

void TlsEngine::Free::operator()(ssl_st* ssl) const
{
    SSL_free(ssl);
}

TlsEngine::TlsEngine(std::shared_ptr<const TlsContext> context)
    : context_(std::move(context)), ssl_(SSL_new(context_->get()))
{
    input_ = BIO_new(BIO_s_mem());
    output_ = BIO_new(BIO_s_mem());
    if (!ssl_ || input_ == nullptr || output_ == nullptr) {
        BIO_free(input_);
        BIO_free(output_);
        throw std::bad_alloc();
    }
    SSL_set_bio(ssl_.get(), input_, output_);
    if (context_->is_client())
        SSL_set_connect_state(ssl_.get());
    else
        SSL_set_accept_state(ssl_.get());
    if (!context_->host().empty()) SSL_set_tlsext_host_name(ssl_.get(), context_->host().c_str());
}

TlsEngine::Step TlsEngine::step_of(int result)
{
    switch (SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_NONE: return Step::done;
    case SSL_ERROR_WANT_READ: return Step::needs_input;
    case SSL_ERROR_ZERO_RETURN: return Step::ended;
    default: break;
    }
    const auto code = ERR_peek_error();
    const char* reason = ERR_reason_error_string(code);
    failure_ = reason != nullptr ? reason : "the connection was broken";
    was_plain_http_ = ERR_GET_LIB(code) == ERR_LIB_SSL && (ERR_GET_REASON(code) == SSL_R_HTTP_REQUEST ||
                                                           ERR_GET_REASON(code) == SSL_R_HTTPS_PROXY_REQUEST);
    is_established_ = false; // nothing may be written any more
    ERR_clear_error();
    return Step::failed;
}

TlsEngine::Step TlsEngine::handshake()
{
    ERR_clear_error();
    const auto step = step_of(SSL_do_handshake(ssl_.get()));
    is_established_ = step == Step::done;
    return step;
}

TlsEngine::Step TlsEngine::read(std::span<std::byte> into, std::size_t& count)
{
    ERR_clear_error();
    return step_of(SSL_read_ex(ssl_.get(), into.data(), into.size(), &count));
}

std::size_t TlsEngine::write(std::string_view plain)
{
    std::size_t count = 0;
    if (!is_established_ || is_closed_) return 0;
    ERR_clear_error();
    const auto size = std::min(plain.size(), max_record_bytes);
    if (step_of(SSL_write_ex(ssl_.get(), plain.data(), size, &count)) != Step::done) return 0;
    return count;
}

void TlsEngine::close()
{
    if (!is_established_ || std::exchange(is_closed_, true)) return;
    ERR_clear_error();
    SSL_shutdown(ssl_.get());
    ERR_clear_error();
}

void TlsEngine::receive(std::string_view bytes)
{
    BIO_write(input_, bytes.data(), static_cast<int>(bytes.size()));
}

void TlsEngine::receive_end()
{
    BIO_set_mem_eof_return(input_, 0);
}

std::string_view TlsEngine::output() const
{
    const char* bytes = nullptr;
    const auto size = BIO_get_mem_data(output_, &bytes);
    if (bytes == nullptr || size <= 0) return {};
    return std::string_view(bytes, static_cast<std::size_t>(size)).substr(consumed_);
}

void TlsEngine::consume_output(std::size_t count)
{
    const bool all = count == output().size();
    consumed_ = all ? 0 : consumed_ + count;
    if (all) BIO_reset(output_);
    if (consumed_ <= max_consumed) return;
    std::array<char, 4096> dropped; // a peer that reads slowly may never take all
    while (consumed_ > 0) {
        const auto got =
            BIO_read(output_, dropped.data(), static_cast<int>(std::min(dropped.size(), consumed_)));
        if (got <= 0) return;
        consumed_ -= static_cast<std::size_t>(got);
    }
}

std::size_t TlsEngine::pending() const
{
    return static_cast<std::size_t>(std::max(0, SSL_pending(ssl_.get())));
}

TlsFacts TlsEngine::facts() const
{
    const char* name = SSL_get_servername(ssl_.get(), TLSEXT_NAMETYPE_host_name);
    return {.version = SSL_get_version(ssl_.get()),
            .cipher = SSL_CIPHER_get_name(SSL_get_current_cipher(ssl_.get())),
            .server_name = name != nullptr ? name : "",
            .resumed = SSL_session_reused(ssl_.get()) == 1};
}

} // namespace vitrine::server
