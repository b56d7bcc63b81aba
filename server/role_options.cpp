// Options of `vitrine serve` that say what the process does and where other processes reach it.

#include <algorithm>
#include <array>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>
#include <unistd.h>

#include "server/config_numbers.hpp"
#include "server/services/database/dialect.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_address_bytes = 300;

// Whether the text is http://HOST:PORT or https://HOST:PORT.
bool is_address(std::string_view text)
{
    if (text.size() > max_address_bytes) return false;
    if (!text.starts_with("http://") && !text.starts_with("https://")) return false;
    text.remove_prefix(text.find("//") + 2);
    constexpr auto characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]";
    if (text.find_first_not_of(characters) != text.npos) return false;
    const auto endpoint = parse_endpoint(text);
    return endpoint && !endpoint->is_unix() && !text.starts_with(':') && endpoint->port != 0;
}

std::string host_name()
{
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

} // namespace

void declare_role(CLI::App& app, Config& config)
{
    std::vector<std::string> words;
    for (const auto& known : process_role_words)
        words.emplace_back(known.word);
    app.add_option_function<std::string>(
           "--role",
           [&config](const std::string& word) {
               config.role = std::ranges::find(process_role_words, word, &ProcessRoleWord::word)->role;
           },
           "all, api (answers clients, without a device and imports) or worker (imports and draws for "
           "the others); api and worker share --database postgres://... and --blobs s3://...")
        ->envname("VITRINE_ROLE")
        ->default_str("all")
        ->check(CLI::IsMember(words));
    app.add_option(
           "--advertise", config.advertise,
           "Address where other processes of a shared catalog reach this one, http://HOST:PORT; "
           "default: the first TCP address of --listen, with the name of the machine for all addresses")
        ->envname("VITRINE_ADVERTISE");
}

std::string wrong_role(const Config& config, std::span<const Endpoint> endpoints)
{
    if (!config.advertise.empty() && !is_address(config.advertise))
        return "--advertise must be http://HOST:PORT or https://HOST:PORT";
    if (config.role == ProcessRole::all) return {};
    const std::string role = "--role " + std::string(to_word(config.role));
    if (!is_postgres(config.database))
        return role + " needs a catalog that several processes share: --database postgres://...";
    if (!config.blobs.s3.location.starts_with("s3://"))
        return role + " needs a store of files that several processes share: --blobs s3://BUCKET";
    if (config.token.empty() && !config.open)
        return role + " needs the token that all processes share: --token";
    if (config.role == ProcessRole::worker && config.advertise.empty() &&
        std::ranges::all_of(endpoints, &Endpoint::is_unix))
        return role + " needs an address that other processes reach: --listen HOST:PORT or --advertise";
    return {};
}

std::string advertised_address(const Config& config, std::span<const Endpoint> bound)
{
    if (!config.advertise.empty()) return config.advertise;
    const auto tcp = std::ranges::find_if_not(bound, &Endpoint::is_unix);
    if (tcp == bound.end()) return bound.empty() ? std::string() : bound.front().url();
    auto address = *tcp;
    if (address.host == "0.0.0.0" || address.host == "::") address.host = host_name();
    return address.url();
}

std::string_view render_process_word(const Config& config)
{
    return std::ranges::find(render_process_words, config.render_process, &RenderProcessWord::mode)->word;
}

void declare_render_process(CLI::App& app, RenderProcess& mode)
{
    std::vector<std::string> words;
    for (const auto& known : render_process_words)
        words.emplace_back(known.word);
    app.add_option_function<std::string>(
           "--render-process",
           [&mode](const std::string& word) {
               mode = std::ranges::find(render_process_words, word, &RenderProcessWord::word)->mode;
           },
           "auto (graphics cards render in processes of their own), always or never (in the server)")
        ->envname("VITRINE_RENDER_PROCESS")
        ->default_str("auto")
        ->check(CLI::IsMember(words));
}

} // namespace vitrine::server
