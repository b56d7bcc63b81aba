#pragma once
// Options of every command that loads models: time and size limits, sandbox.

#include <string_view>

#include "loaders/worker/client/client.hpp"

namespace CLI {
class App;
}

namespace vitrine::server {

// `options` must outlive the parsing. Flags take precedence over VITRINE_* variables, these over defaults.
void declare_loading(CLI::App& app, worker::ClientOptions& options);

std::string_view to_word(worker::FilterRequirement filter);

} // namespace vitrine::server
