#pragma once
// The composition root: creates and connects all parts, runs until SIGTERM or SIGINT, then stops them in
// order.

#include <filesystem>
#include <functional>
#include <string_view>

#include "server/config.hpp"

namespace vitrine::server {

struct AppHooks {
    std::function<void(const Endpoint& endpoint)> ready; // called once, when requests are accepted
    // Fills the folder with sample models, one subfolder per upload. They are imported when the catalog is
    // empty.
    std::function<void(const std::filesystem::path& folder)> write_samples;
};

// Throws when the server cannot start.
void run_server(const Config& config, const Endpoint& endpoint, const AppHooks& hooks);

} // namespace vitrine::server
