// `vitrine import`: uploads files, folders and zips to a server, once or whenever a folder changes.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/json_text.hpp"
#include "server/cli/access/login_store.hpp"
#include "server/cli/command.hpp"
#include "server/cli/import.hpp"
#include "server/config.hpp"
#include "server/util/token_file.hpp"

namespace vitrine::cli {
namespace {

struct ImportArguments {
    ImportServer server;
    std::filesystem::path data;
    std::vector<std::string> paths;
    ImportOptions options;
    bool watch = false;
};

// Whether the URL is of a server on this machine, whose data directory may be ours.
bool is_local(const std::string& url)
{
    if (url.starts_with("unix:")) return true;
    const auto host = host_of(url);
    return host.find('@') == host.npos && server::Endpoint{.host = host}.is_loopback();
}

int import_all(ImportArguments& arguments)
{
    find_server_token(arguments.server, arguments.data);
    auto& collection = arguments.options.collection;
    if (!collection.empty()) collection = find_collection(arguments.server, collection);
    std::vector<std::filesystem::path> paths(arguments.paths.begin(), arguments.paths.end());
    if (arguments.watch) return watch_and_import(arguments.server, paths, arguments.options);
    ImportClient client(arguments.server, [] { return false; });
    bool good = true;
    for (const auto& path : paths)
        good = import_path(client, path, arguments.options) && good;
    return good ? 0 : 1;
}

} // namespace

std::string origin_of(const std::string& url)
{
    const auto scheme = url.find("://");
    const auto host = scheme == url.npos ? 0 : scheme + 3;
    return url.substr(0, std::min(url.find_first_of("/?#", host), url.size()));
}

std::string host_of(const std::string& url)
{
    auto host = origin_of(url);
    if (const auto scheme = host.find("://"); scheme != host.npos) host.erase(0, scheme + 3);
    if (host.find('@') != host.npos) return host;
    return host.starts_with('[') ? host.substr(1, host.find(']') - 1) : host.substr(0, host.find(':'));
}

void find_server_token(ImportServer& server, const std::filesystem::path& data)
{
    if (!server.token.empty()) return;
    server.token = find_login(server.url).value_or("");
    if (!server.token.empty() || !is_local(server.url)) return;
    server.token = server::find_token(data.empty() ? server::default_data() : data).value_or("");
}

std::string find_collection(const ImportServer& server, const std::string& text)
{
    ImportClient escaping(server, [] { return false; });
    std::vector<std::string> named;
    std::string cursor;
    do {
        const auto page = request_json(server, "GET", "/v1/collections?limit=1000" + cursor, {}).as_object();
        for (const auto& entry : page.at("items").as_array()) {
            const auto& collection = entry.as_object();
            if (api::text_of(collection, "id") == text) return text;
            if (api::text_of(collection, "name") == text) named.push_back(api::text_of(collection, "id"));
        }
        const auto next = api::text_of(page, "next");
        cursor = next.empty() ? next : "&cursor=" + escaping.escape(next);
    } while (!cursor.empty());
    if (named.size() == 1) return named.front();
    throw std::runtime_error(named.empty()
                                 ? fmt::format("There is no collection {}.", text)
                                 : fmt::format("{} collections have the name {}: name one by its id ({}).",
                                               named.size(), text, fmt::join(named, ", ")));
}

Action declare_import(CLI::App& app)
{
    auto arguments = std::make_shared<ImportArguments>();
    app.add_option("--server", arguments->server.url, "URL of the server, or unix:PATH")
        ->envname("VITRINE_SERVER")
        ->capture_default_str();
    app.add_option("--token", arguments->server.token,
                   "Token of the server; default, if it is on this machine: that of its data directory")
        ->envname("VITRINE_TOKEN");
    app.add_option(
           "--ca-file", arguments->server.ca_file,
           "PEM file of certificates to trust instead of the system's, for an https server with its own")
        ->envname("VITRINE_CA_FILE");
    app.add_option("--data", arguments->data, "Data directory of the server; default: ~/.local/share/vitrine")
        ->envname("VITRINE_DATA");
    app.add_flag_callback(
        "--wait", [arguments] { arguments->options.wait = true; },
        "Wait until the imports have ended (default)");
    app.add_flag_callback(
        "--no-wait", [arguments] { arguments->options.wait = false; }, "Return when the uploads are stored");
    app.add_option("--collection", arguments->options.collection,
                   "Collection to which the assets are added: its id or, if only one has it, its name");
    app.add_flag(
        "--watch", arguments->watch,
        "Run until Ctrl-C: import the content of the folders, then each model and subfolder that changes");
    app.add_option("PATH", arguments->paths, "Files, folders (one upload each) and zips")->required();
    return [arguments] { return import_all(*arguments); };
}

} // namespace vitrine::cli
