// Options of `vitrine serve` about its log.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>

#include "server/config.hpp"

namespace vitrine::server {

void declare_logging(CLI::App& app, Config& config)
{
    app.add_option("--log", config.log_level, "debug, info, warn or error")
        ->envname("VITRINE_LOG")
        ->capture_default_str()
        ->check(CLI::IsMember({"debug", "info", "warn", "error"}));
    app.add_option_function<std::string>(
           "--log-format",
           [&format = config.log_format](const std::string& word) {
               format = word == "json" ? LogFormat::json : LogFormat::text;
           },
           "text (key=value) or json (one object per line)")
        ->envname("VITRINE_LOG_FORMAT")
        ->default_str("text")
        ->check(CLI::IsMember({"text", "json"}));
}

} // namespace vitrine::server
