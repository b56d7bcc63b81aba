#pragma once
// Options of `vitrine serve` that are numbers, with their ranges: threads, limits, times, webhooks and
// libraries; and those of sign-in by an identity provider and of the embedder.

#include <CLI/App.hpp>
#include <boost/json/object.hpp>

#include "server/config.hpp"
#include "server/services/libraries/library.hpp"

namespace vitrine::server {

void declare_threads(CLI::App& app, Config& config);
void declare_limits(CLI::App& app, Config& config); // and those of webhooks
void declare_times(CLI::App& app, Config& config);
void declare_webhooks(CLI::App& app, Config& config);
boost::json::object webhooks_json(const Config& config); // as print_config() has it

// Of --rate-limit and --address-rate-limit, as print_config() has them.
boost::json::object rates_json(const std::expected<RateLimits, std::string>& limits);

// Libraries.
void declare_libraries(CLI::App& app, Config& config);
boost::json::object libraries_json(const Config& config);
LibraryOptions library_options(const Config& config);
// Which devices render in a process of their own.
std::string_view render_process_word(const Config& config);
void declare_render_process(CLI::App& app, RenderProcess& mode);
void declare_oidc(CLI::App& app, Config& config);
// Reads the secret and the roles. Returns what is wrong with them; empty if nothing is.
std::string finish_oidc(Config& config);
boost::json::object oidc_json(const Config& config); // as print_config() has it, without the secret

// The embedder of pictures. finish_embedder(): reads the token; what is wrong, empty if nothing is.
void declare_embedder(CLI::App& app, Config& config);
std::string finish_embedder(Config& config);
boost::json::object embedder_json(const Config& config); // without the token

} // namespace vitrine::server
