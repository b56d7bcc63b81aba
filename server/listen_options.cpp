// Options of `vitrine serve` that say where and how it listens.

#include <algorithm>
#include <fstream>
#include <optional>
#include <string_view>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>
#include <fmt/format.h>

#include "loaders/base/parse_whole.hpp"
#include "server/config.hpp"
#include "server/option_declarer.hpp"

namespace vitrine::server {
namespace {

constexpr std::uint64_t max_hsts_seconds = 10ull * 365 * 24 * 3600;
constexpr std::size_t min_link_secret = 16; // bytes
constexpr std::size_t max_link_secret = 1024;

// "0660" -> 0660.
std::optional<mode_t> parse_mode(std::string_view text)
{
    const auto mode = parse_whole<mode_t>(text, 8);
    return mode && *mode <= 0777 ? mode : std::nullopt;
}

// Returns what is wrong with the options of TLS; empty if nothing is.
std::string wrong_tls(const Config& config, const std::vector<Endpoint>& endpoints)
{
    const auto& [certificate, key] = config.tls;
    if (certificate.empty() && key.empty())
        return config.net.hsts_seconds > 0 ? "--hsts-seconds needs --tls-cert and --tls-key" : "";
    if (key.empty()) return "--tls-cert needs --tls-key with the private key of the certificate";
    if (certificate.empty()) return "--tls-key needs --tls-cert with the certificate of the key";
    if (std::ranges::all_of(endpoints, &Endpoint::is_unix))
        return "--tls-cert needs a TCP address to listen on: Unix sockets have no TLS";
    const auto loaded = TlsContext::load(config.tls);
    return loaded ? "" : loaded.error();
}

} // namespace

void declare_listening(CLI::App& app, Config& config)
{
    const auto option = option_declarer(app);
    option("--listen", config.listen, "VITRINE_LISTEN",
           "HOST:PORT (port 0 selects a free port) or unix:PATH; may be repeated, or several "
           "separated by commas")
        ->delimiter(',')
        ->capture_default_str();
    option("--socket-mode", config.socket_mode, "VITRINE_SOCKET_MODE", "Permissions of Unix sockets, octal")
        ->capture_default_str();
    option("--tls-cert", config.tls.certificate, "VITRINE_TLS_CERT",
           "PEM file of the certificate, followed by those of its issuers: all TCP addresses speak "
           "TLS; changed files are read again");
    option("--tls-key", config.tls.key, "VITRINE_TLS_KEY",
           "PEM file of the certificate's private key, not encrypted");
    option("--link-secret-file", config.link_secret_file, "VITRINE_LINK_SECRET_FILE",
           "File with a secret of at least 16 characters that the processes of one catalog share: it "
           "protects their links; default: the token");
    option("--link-ca", config.link_ca, "VITRINE_LINK_CA",
           "PEM file of the authorities that have issued the certificates of workers; default: those "
           "of the system");
    option("--handshakes", config.net.max_handshakes, "VITRINE_HANDSHAKES",
           "Concurrent TLS handshakes; over it, the oldest of the address with most ends")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str()
        ->group("Limits");
    option("--hsts-seconds", config.net.hsts_seconds, "VITRINE_HSTS_SECONDS",
           "Over TLS, tell browsers to use only https for this host name for so long "
           "(Strict-Transport-Security); 0: do not")
        ->check(CLI::Range(std::uint64_t{0}, max_hsts_seconds))
        ->capture_default_str();
}

std::expected<std::vector<Endpoint>, std::string> finish_listening(const Config& config)
{
    const auto mode = parse_mode(config.socket_mode);
    if (!mode) return std::unexpected("--socket-mode must be octal permissions, such as 0660");
    std::vector<Endpoint> endpoints;
    for (const auto& text : config.listen) {
        auto endpoint = parse_endpoint(text);
        if (!endpoint)
            return std::unexpected("--listen must be HOST:PORT, such as 127.0.0.1:8080 or [::1]:0, or "
                                   "unix:PATH with a path of at most 100 bytes");
        endpoint->socket_mode = *mode;
        endpoint->tls = !endpoint->is_unix() && !config.tls.certificate.empty();
        endpoints.push_back(*std::move(endpoint));
    }
    if (auto wrong = wrong_tls(config, endpoints); !wrong.empty()) return std::unexpected(wrong);
    return endpoints;
}

std::string finish_links(Config& config)
{
    config.link_secret = config.token;
    const auto& file = config.link_secret_file;
    if (file.empty()) return {};
    std::ifstream in(file, std::ios::binary);
    std::string line;
    std::getline(in, line);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
        line.pop_back();
    if (!in && line.empty()) return "--link-secret-file " + file.string() + " cannot be read";
    if (line.size() < min_link_secret || line.size() > max_link_secret)
        return fmt::format("the first line of --link-secret-file {} must have {} to {} characters",
                           file.string(), min_link_secret, max_link_secret);
    config.link_secret = line;
    return {};
}

} // namespace vitrine::server
