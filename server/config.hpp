#pragma once
// What `vitrine serve` is told: flags before VITRINE_* before defaults. Checked here, once.

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/worker/client/client.hpp"
#include "server/net/endpoint.hpp"
#include "server/net/limits.hpp"
#include "server/routing/context.hpp"

namespace CLI {
class App;
}

namespace vitrine::server {

struct Config {
    std::string listen = "127.0.0.1:8080";
    std::filesystem::path data;   // empty: VITRINE_DATA, XDG_DATA_HOME/vitrine or ~/.local/share/vitrine
    std::string gpu = "auto";     // as render::choose_devices() takes it
    std::filesystem::path web;    // empty: where it lies beside the program
    worker::ClientOptions loader; // the loader process
    bool samples = true;          // imported on the first start
    std::string token;
    bool trusted_proxy = false;
    std::vector<std::string> hosts;
    std::vector<std::string> origins;
    std::string log_level = "info";
    unsigned io_threads = 2;
    unsigned quick_threads = 4;
    unsigned slow_threads = 6;
    unsigned stream_threads = 2;
    unsigned import_workers = 1;
    std::uint64_t derived_mb = 20'480; // cache of pictures and scenes on disk
    std::uint64_t scenes_mb = 512;     // scenes in memory
    std::uint64_t upload_mb = 4096;    // one request
    std::uint64_t min_free_mb = 256;   // uploads stop while the disk has less
    std::uint64_t gpu_memory = 0;      // bytes of the graphics device's memory; 0: what it can give
    std::uint32_t texture_side = 0;    // larger textures are scaled down; 0: as the device likes it
    std::uint64_t draw_seconds = 20;   // one submission to the device
    std::uint64_t device_losses = 16;  // of one device, which is given up then; 0: never
    NetLimits net;
    HandlerLimits handlers;
    bool print = false; // --print-config: print and leave
};

// Adds the options of `serve`; `config` must outlive the parsing.
void declare_config(CLI::App& app, Config& config);
// Where everything is kept without --data.
std::filesystem::path default_data();
// Fills in the defaults that depend on the machine; an error is one sentence.
std::expected<Endpoint, std::string> finish_config(Config& config);
// As JSON, the token left out.
std::string print_config(const Config& config);

} // namespace vitrine::server
