#pragma once
// The composition root: creates and connects all parts, runs until SIGTERM or SIGINT, then stops them in
// order.

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "server/config.hpp"
#include "server/link/link_pool.hpp"

namespace vitrine::server {

struct AppHooks {
    // Called once, when requests are accepted; with the actual ports.
    std::function<void(std::span<const Endpoint> endpoints)> ready;
    // Fills the folder with sample models, one subfolder per upload. They are imported when the catalog is
    // empty.
    std::function<void(const std::filesystem::path& folder)> write_samples;
};

struct Services;       // server/services/services.hpp
struct ServicesConfig; // the same

// The part of the configuration that the services have.
ServicesConfig services_config(const Config& config, std::function<void()> on_all_devices_disabled);

// Where an API process opens live previews; null for other roles. The services outlive the result.
std::unique_ptr<LinkPool> make_links(const Config& config, const asio::any_io_executor& executor,
                                     Services& services, prometheus::Registry& registry);

// Throws when the server cannot start.
void run_server(const Config& config, std::span<const Endpoint> endpoints, const AppHooks& hooks);

} // namespace vitrine::server
