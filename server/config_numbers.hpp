#pragma once
// Options of `vitrine serve` that are numbers: threads, limits and times, with their ranges.

#include <CLI/App.hpp>

#include "server/config.hpp"

namespace vitrine::server {

void declare_threads(CLI::App& app, Config& config);
void declare_limits(CLI::App& app, Config& config);
void declare_times(CLI::App& app, Config& config);

} // namespace vitrine::server
