// `vitrine import`: uploads files, folders and zips to a server, once or whenever a folder changes.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "server/cli/command.hpp"
#include "server/cli/import.hpp"

namespace vitrine::cli {
namespace {

struct ImportArguments {
    ImportServer server;
    std::vector<std::string> paths;
    bool wait = true;
    bool watch = false;
};

int import_all(const ImportArguments& arguments)
{
    std::vector<std::filesystem::path> paths(arguments.paths.begin(), arguments.paths.end());
    if (arguments.watch) return watch_and_import(arguments.server, paths, arguments.wait);
    ImportClient client(arguments.server, [] { return false; });
    bool good = true;
    for (const auto& path : paths)
        good = import_path(client, path, arguments.wait) && good;
    return good ? 0 : 1;
}

} // namespace

Action declare_import(CLI::App& app)
{
    auto arguments = std::make_shared<ImportArguments>();
    app.add_option("--server", arguments->server.url, "URL of the server")
        ->envname("VITRINE_SERVER")
        ->capture_default_str();
    app.add_option("--token", arguments->server.token, "Token of the server")->envname("VITRINE_TOKEN");
    app.add_flag_callback(
        "--wait", [arguments] { arguments->wait = true; }, "Wait until the imports have ended (default)");
    app.add_flag_callback(
        "--no-wait", [arguments] { arguments->wait = false; }, "Return when the uploads are stored");
    app.add_flag(
        "--watch", arguments->watch,
        "Run until Ctrl-C: import the content of the folders, then each model and subfolder that changes");
    app.add_option("PATH", arguments->paths, "Files, folders (one upload each) and zips")->required();
    return [arguments] { return import_all(*arguments); };
}

} // namespace vitrine::cli
