// Options of `vitrine serve` about webhooks.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>

#include "server/config_numbers.hpp"

namespace vitrine::server {

void declare_webhooks(CLI::App& app, Config& config)
{
    constexpr const char* group = "Webhooks";
    app.add_flag("--webhook-allow-private", config.webhooks.allow_private,
                 "Let webhooks have addresses of this machine and of private networks")
        ->envname("VITRINE_WEBHOOK_ALLOW_PRIVATE")
        ->group(group);
    app.add_option("--webhook-attempts", config.webhooks.attempts,
                   "Attempts to deliver an event to a webhook; then it waits for a replay")
        ->envname("VITRINE_WEBHOOK_ATTEMPTS")
        ->check(CLI::Range(1, 20))
        ->capture_default_str()
        ->group(group);
    app.add_option(
           "--webhook-retry-seconds", config.webhook_retry_seconds,
           "Pause after the first failed attempt; each further one is four times as long, at most 8 hours")
        ->envname("VITRINE_WEBHOOK_RETRY_SECONDS")
        ->check(CLI::Range(1, 3600))
        ->capture_default_str()
        ->group(group);
}

boost::json::object webhooks_json(const Config& config)
{
    return {{"allowPrivate", config.webhooks.allow_private},
            {"attempts", config.webhooks.attempts},
            {"retrySeconds", config.webhook_retry_seconds}};
}

} // namespace vitrine::server
