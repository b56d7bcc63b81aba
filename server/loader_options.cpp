#include "server/loader_options.hpp"

#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>

#include "loaders/io/limits.hpp"

namespace vitrine::server {
namespace {

void set_limits(const std::vector<std::string>& texts, Limits& limits)
{
    for (const auto& text : texts)
        if (auto wrong = io::set_limit(limits, text); !wrong.empty())
            throw CLI::ValidationError("--limit", wrong);
}

} // namespace

void declare_loading(CLI::App& app, worker::ClientOptions& options)
{
    app.add_option_function<std::int64_t>(
           "--load-seconds",
           [&options](const std::int64_t& seconds) { options.deadline = std::chrono::seconds(seconds); },
           "Time limit of a load")
        ->envname("VITRINE_LOAD_SECONDS")
        ->check(CLI::Range(1, 3600))
        ->default_str(
            std::to_string(std::chrono::duration_cast<std::chrono::seconds>(options.deadline).count()))
        ->group("Limits");
    app.add_option_function<std::uint64_t>(
           "--load-memory-mb",
           [&options](const std::uint64_t& megabytes) { options.memory_bytes = megabytes << 20; },
           "Memory limit of a load in MiB")
        ->envname("VITRINE_LOAD_MEMORY_MB")
        ->check(CLI::Range(64u, 1'000'000u))
        ->default_str(std::to_string(options.memory_bytes >> 20))
        ->group("Limits");
    app.add_option_function<std::vector<std::string>>(
           "--limit",
           [&options](const std::vector<std::string>& texts) { set_limits(texts, options.limits); },
           "NAME=NUMBER, a limit of a load such as vertices=1000000; may be repeated, `vitrine doctor` "
           "lists all")
        ->envname("VITRINE_LIMITS")
        ->delimiter(',')
        ->group("Limits");
    app.add_option_function<std::string>(
           "--loader-filter",
           [&options](const std::string& word) {
               options.filter = word == to_word(worker::FilterRequirement::required)
                                    ? worker::FilterRequirement::required
                                    : worker::FilterRequirement::if_possible;
           },
           "required, or if-possible: load without a system call filter if the kernel has none")
        ->envname("VITRINE_LOADER_FILTER")
        ->check(CLI::IsMember({"required", "if-possible"}))
        ->default_str(std::string(to_word(options.filter)))
        ->group("Loader process");
}

std::string_view to_word(worker::FilterRequirement filter)
{
    return filter == worker::FilterRequirement::required ? "required" : "if-possible";
}

} // namespace vitrine::server
