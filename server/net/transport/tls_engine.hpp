#pragma once
// TLS of one connection without I/O: takes and gives the bytes of the network on one side and plain bytes on
// the other. Used by one thread at a time.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "server/net/transport/peer.hpp"
#include "server/net/transport/tls_context.hpp"

struct bio_st; // OpenSSL's BIO
struct ssl_st; // OpenSSL's SSL

namespace vitrine::server {

class TlsEngine {
public:
    static constexpr std::size_t max_record_bytes = 16 * 1024; // of plain bytes

    explicit TlsEngine(std::shared_ptr<const TlsContext> context);

    enum class Step : std::uint8_t {
        done,
        needs_input,
        ended,  // the peer has sent the end of its stream
        failed, // see failure()
    };
    Step handshake();
    // Decrypts into `into`, which is not empty, and sets `count`.
    Step read(std::span<std::byte> into, std::size_t& count);
    // Encrypts one record of at most max_record_bytes; more is ignored. Returns the number of bytes; 0:
    // failed. Only after the handshake.
    std::size_t write(std::string_view plain);
    // Puts the end of the stream into the output, once.
    void close();

    // From the network.
    void receive(std::string_view bytes);
    void receive_end();
    // For the network; valid until the next call. Errors, too, put messages here.
    std::string_view output() const;
    void consume_output(std::size_t count);

    const std::string& failure() const { return failure_; } // OpenSSL's words
    bool was_plain_http() const { return was_plain_http_; }
    // Returns the number of decrypted bytes that wait for read().
    std::size_t pending() const;
    // After the handshake.
    TlsFacts facts() const;

private:
    Step step_of(int result);

    struct Free {
        void operator()(ssl_st* ssl) const;
    };
    std::shared_ptr<const TlsContext> context_;
    std::unique_ptr<ssl_st, Free> ssl_;
    bio_st* input_ = nullptr; // owned by ssl_
    bio_st* output_ = nullptr;
    std::size_t consumed_ = 0; // of what output_ holds
    std::string failure_;
    bool was_plain_http_ = false;
    bool is_established_ = false;
    bool is_closed_ = false;
};

} // namespace vitrine::server
