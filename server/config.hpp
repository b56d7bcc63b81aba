#pragma once
// Configuration of `vitrine serve`: flags take precedence over VITRINE_* variables, these over the file of
// --config (server/config_file.hpp), the file over defaults.
// Validated here, once.

#include <algorithm>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "loaders/worker/client/client.hpp"
#include "server/blob_options.hpp"
#include "server/log_format.hpp"
#include "server/net/limits.hpp"
#include "server/net/transport/endpoint.hpp"
#include "server/net/transport/tls_context.hpp"
#include "server/routing/context.hpp"
#include "server/routing/rates/rate_limits.hpp"
#include "server/services/importing/check_gate.hpp"
#include "server/services/oidc/oidc_settings.hpp"
#include "server/services/rendering/render_devices.hpp"
#include "server/services/vectors/embedder.hpp"
#include "server/services/webhooks/webhook.hpp"
#include "server/services/workers/process_role.hpp"

namespace CLI {
class App;
}

namespace vitrine::server {

struct Config {
    ProcessRole role = ProcessRole::all;
    RenderProcess render_process = RenderProcess::automatic; // which devices have a process of their own
    bool samples = true;                                     // imported on the first start
    bool open = false;                                       // --open: no token, on a loopback address
    std::vector<std::string> trusted_proxies;                // words of --trusted-proxy
    std::vector<std::string> rate_limits;                    // words of --rate-limit
    std::vector<std::string> address_rate_limits;            // words of --address-rate-limit
    bool print = false;                                      // --print-config: print and exit
    std::filesystem::path file;                              // --config; empty: none
    std::string advertise; // http://HOST:PORT, where other processes reach this one; empty: of `listen`
    std::vector<std::string> listen{"127.0.0.1:8080"};
    std::string socket_mode = "0660"; // octal, of Unix sockets
    TlsFiles tls;                     // of all TCP addresses; empty: no TLS
    std::filesystem::path data;       // empty: VITRINE_DATA, XDG_DATA_HOME/vitrine or ~/.local/share/vitrine
    std::string database; // --database; after finish_config() of make_dialect(), or empty: a file in `data`
    std::string gpu = "auto";     // selector for render::choose_devices()
    std::filesystem::path web;    // folder of the web client; empty: the one installed with the program
    worker::ClientOptions loader; // the loader process
    BlobOptions blobs;
    std::optional<S3BlobsConfig> s3;                   // of `blobs`, after finish_config(); empty: files
    std::filesystem::path blob_folder;                 // of these files, after finish_config(); empty: `data`
    std::optional<SharedDerivedConfig> shared_derived; // after finish_config(); empty: not shared
    std::string token; // empty after finish_config(): `open`, no token is required
    std::filesystem::path link_secret_file;
    std::filesystem::path link_ca; // PEM; empty: authorities of the system
    std::string link_secret;       // after finish_config(): of the file, else the token; empty: `open`
    std::vector<std::string> hosts;
    std::vector<std::string> origins;
    OidcSettings oidc; // without secret and roles until finish_config(); without an issuer: not used
    std::filesystem::path oidc_secret_file;
    std::vector<std::string> oidc_roles; // GROUP=ROLE
    std::string oidc_default_role = "none";
    EmbedderSettings embedder; // without token and shape until finish_config(); without a URL: not used
    std::filesystem::path embedder_token_file;
    std::string embedder_pictures = "modality"; // or "objects"
    std::uint64_t embedder_seconds = 10;        // time limit of a request to it
    std::uint32_t audit_days = 400;             // age at which entries of the audit log are removed
    std::string log_level = "info";
    LogFormat log_format = LogFormat::text;
    unsigned io_threads = 2;
    unsigned catalog_threads = 4;
    unsigned scene_threads = 6;
    unsigned export_threads = 2;
    unsigned upload_threads = 4;
    unsigned preview_threads = 2;
    // One import loads while another renders; each has a loader process.
    unsigned import_workers = std::clamp(std::thread::hardware_concurrency(), 1u, 4u);
    std::uint64_t derived_mb = 20'480;      // MiB, cache of images and scenes on disk
    std::uint64_t scenes_mb = 512;          // MiB, scenes in memory
    std::uint64_t upload_mb = 4096;         // MiB, one request
    std::uint64_t posted_mb = 1024;         // MiB of memory, models in the bodies of requests
    std::uint64_t open_upload_mb = 65'536;  // MiB, all unfinished and unused uploads by tus together
    std::uint64_t quota_bytes = 0;          // of originals; 0: no limit
    std::uint64_t user_quota_bytes = 0;     // of those of each user; 0: no limit
    unsigned trash_days = 0;                // until an asset in the trash is purged; 0: no limit
    UploadLimits uploads;                   // without max_bytes until finish_config()
    std::vector<std::string> library_roots; // folders below which libraries may be
    std::uint64_t library_poll_seconds = 300;
    WebhookOptions webhooks;
    std::uint64_t webhook_retry_seconds = 5; // after the first failed attempt
    std::uint64_t min_free_mb = 256;         // MiB; uploads are rejected while the disk has less free space
    std::uint64_t response_memory_mb = 128;  // MiB of large responses being sent, in memory
    std::uint64_t response_disk_mb = 2048;   // MiB of large responses being sent, in temporary files
    std::uint64_t response_cache_mb = 64;    // MiB of cached responses
    std::uint64_t gpu_memory = 0;            // bytes of device memory; 0: what the device can give
    std::uint32_t texture_side = 0;    // pixels; larger textures are scaled down; 0: the device's default
    std::uint64_t submit_seconds = 20; // time limit of one submission to the device
    std::uint64_t device_losses = 16;  // losses of one device before it is disabled; 0: no limit
    std::string check_profile;         // of uploads; empty: none
    std::string check_gate = "mark";
    CheckGate gate; // of both, after finish_config()
    NetLimits net;
    HandlerLimits handlers;
};

// Adds the options of `serve`; `config` must outlive the parsing.
void declare_config(CLI::App& app, Config& config);
// The data folder without --data.
std::filesystem::path default_data();
// Fills in the defaults that depend on the machine, and the token of the data directory, which the first
// start makes there (not with --print-config). The error is one sentence.
std::expected<std::vector<Endpoint>, std::string> finish_config(Config& config);

// The part of both that says where and how the server listens.
void declare_listening(CLI::App& app, Config& config);
std::expected<std::vector<Endpoint>, std::string> finish_listening(const Config& config);
// After the token is known. Returns what is wrong with the secret of links; empty if nothing is.
std::string finish_links(Config& config);

// The part of the first about the log.
void declare_logging(CLI::App& app, Config& config);

// The part of both that says who may use the server. wrong_access(): what is wrong with it; empty if nothing
// is.
void declare_access(CLI::App& app, Config& config);
std::string wrong_access(const Config& config, const std::vector<Endpoint>& endpoints);
// Limits of each token or user, and of each address without one.
std::expected<RateLimits, std::string> limits_of_principals(const Config& config);
std::expected<RateLimits, std::string> limits_of_addresses(const Config& config);

// The part of both that says what the process does. wrong_role(): what is wrong with it; empty if nothing is.
void declare_role(CLI::App& app, Config& config);
std::string wrong_role(const Config& config, std::span<const Endpoint> endpoints);
// Where other processes reach this one. `bound`: the addresses that it listens on.
std::string advertised_address(const Config& config, std::span<const Endpoint> bound);

// Returns the configuration as JSON without the token.
std::string print_config(const Config& config);

} // namespace vitrine::server
