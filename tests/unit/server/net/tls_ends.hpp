#pragma once
// Certificates made by openssl(1), and the client's end of a TLS connection.

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include "server/net/transport/tls_context.hpp"

namespace vitrine::server {

// Writes NAME.pem and NAME.key, a certificate that signs itself.
inline TlsFiles make_certificate(const std::filesystem::path& folder, const std::string& name, int days = 30)
{
    const TlsFiles files{folder / (name + ".pem"), folder / (name + ".key")};
    const auto command =
        fmt::format("openssl req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -keyout {} "
                    "-out {} -days {} -subj /CN={} 2>/dev/null",
                    files.key.string(), files.certificate.string(), days, name);
    EXPECT_EQ(std::system(command.c_str()), 0) << command; // NOLINT(concurrency-mt-unsafe)
    return files;
}

inline std::shared_ptr<const TlsContext> make_context(const std::filesystem::path& folder,
                                                      const std::string& name = "test")
{
    const auto loaded = TlsContext::load(make_certificate(folder, name));
    EXPECT_TRUE(loaded) << loaded.error();
    return loaded.value_or(nullptr);
}

// Trusts every server. Over memory, or over a connected blocking socket.
class TlsClient {
public:
    explicit TlsClient(int descriptor = -1)
    {
        SSL_set_connect_state(ssl_.get());
        SSL_set_tlsext_host_name(ssl_.get(), "models.example");
        if (descriptor >= 0)
            SSL_set_fd(ssl_.get(), descriptor);
        else
            SSL_set_bio(ssl_.get(), input_ = BIO_new(BIO_s_mem()), output_ = BIO_new(BIO_s_mem()));
    }

    SSL* ssl() { return ssl_.get(); }
    bool handshake() { return SSL_do_handshake(ssl_.get()) == 1; }
    // Returns what was decrypted, at most `most` bytes; empty: nothing, or the end.
    std::string read(std::size_t most = 64 * 1024)
    {
        std::string text(most, '\0');
        const int got = SSL_read(ssl_.get(), text.data(), static_cast<int>(most));
        text.resize(static_cast<std::size_t>(std::max(got, 0)));
        return text;
    }
    std::string read_exactly(std::size_t count)
    {
        std::string text;
        while (text.size() < count) {
            const auto piece = read(count - text.size());
            if (piece.empty()) break;
            text += piece;
        }
        return text;
    }
    bool write(std::string_view text)
    {
        return SSL_write(ssl_.get(), text.data(), static_cast<int>(text.size())) > 0;
    }

    // Over memory.
    void receive(std::string_view bytes) { BIO_write(input_, bytes.data(), static_cast<int>(bytes.size())); }
    std::string take_output()
    {
        std::string bytes(static_cast<std::size_t>(BIO_ctrl_pending(output_)), '\0');
        if (!bytes.empty()) BIO_read(output_, bytes.data(), static_cast<int>(bytes.size()));
        return bytes;
    }

private:
    struct FreeClient {
        void operator()(SSL* ssl) const { SSL_free(ssl); }
        void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    };
    std::unique_ptr<SSL_CTX, FreeClient> context_{SSL_CTX_new(TLS_client_method())};
    std::unique_ptr<SSL, FreeClient> ssl_{SSL_new(context_.get())};
    BIO* input_ = nullptr; // owned by ssl_
    BIO* output_ = nullptr;
};

} // namespace vitrine::server
