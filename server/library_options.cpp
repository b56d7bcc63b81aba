// Options of `vitrine serve` about libraries.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>

#include "server/config_numbers.hpp"
#include "server/util/files.hpp"

namespace vitrine::server {

void declare_libraries(CLI::App& app, Config& config)
{
    constexpr const char* group = "Libraries";
    app.add_option("--library-root", config.library_roots,
                   "Folder below which folders may become libraries (vitrine library add), several times")
        ->envname("VITRINE_LIBRARY_ROOT")
        ->group(group);
    app.add_option("--library-poll-seconds", config.library_poll_seconds,
                   "Time between scans of libraries that cannot be watched, such as those on file systems of "
                   "the network")
        ->envname("VITRINE_LIBRARY_POLL_SECONDS")
        ->check(CLI::Range(1, 10'000'000))
        ->capture_default_str()
        ->group(group);
}

boost::json::object libraries_json(const Config& config)
{
    return {{"roots", boost::json::array(config.library_roots.begin(), config.library_roots.end())},
            {"pollSeconds", config.library_poll_seconds}};
}

LibraryOptions library_options(const Config& config)
{
    LibraryOptions options;
    for (const auto& root : config.library_roots)
        options.roots.push_back(whole_path(root));
    options.poll_s = static_cast<std::int64_t>(config.library_poll_seconds);
    options.data = whole_path(config.data).native();
    return options;
}

} // namespace vitrine::server
