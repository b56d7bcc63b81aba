#pragma once
// Options of `vitrine serve` that are numbers, with their ranges: threads, limits, times, and webhooks.

#include <CLI/App.hpp>
#include <boost/json/object.hpp>

#include "server/config.hpp"

namespace vitrine::server {

void declare_threads(CLI::App& app, Config& config);
void declare_limits(CLI::App& app, Config& config); // and those of webhooks
void declare_times(CLI::App& app, Config& config);
void declare_webhooks(CLI::App& app, Config& config);
boost::json::object webhooks_json(const Config& config); // as print_config() has it

} // namespace vitrine::server
