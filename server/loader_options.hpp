#pragma once
// The options of every command that loads models: how long, how large, how confined.

#include <string_view>

#include "loaders/worker/client/client.hpp"

namespace CLI {
class App;
}

namespace vitrine::server {

// `options` must outlive the parsing. Flags before VITRINE_* before defaults.
void declare_loading(CLI::App& app, worker::ClientOptions& options);

std::string_view to_word(worker::Filter filter);

} // namespace vitrine::server
