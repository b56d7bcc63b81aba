// `vitrine library`: adds, lists, scans, pauses and removes libraries of a running server.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "server/cli/command.hpp"
#include "server/cli/import.hpp"

namespace vitrine::cli {
namespace {

namespace json = boost::json;

struct LibraryArguments {
    ImportServer server;
    std::filesystem::path data;
    std::string path, name, id;
    std::vector<std::string> include, ignored;
};

json::value ask_libraries(LibraryArguments& arguments, const char* method, const std::string& path,
                          const std::string& body = {})
{
    find_server_token(arguments.server, arguments.data);
    return request_json(arguments.server, method, "/v1/libraries" + path, body);
}

void print_library(const json::value& library)
{
    const auto* problem = library.at("problem").if_string();
    fmt::print("{:<34}  {:<11}  {:>9}  {:>9}  {}  {}\n", library.at("id").as_string().c_str(),
               library.at("state").as_string().c_str(), library.at("models").to_number<std::int64_t>(),
               library.at("files").to_number<std::int64_t>(), library.at("path").as_string().c_str(),
               library.at("name").as_string().c_str());
    if (problem != nullptr) fmt::print("    {}\n", problem->c_str());
}

// A relative path is one of this machine, which is usually the server's.
int add_library(LibraryArguments& arguments)
{
    const auto path = std::filesystem::absolute(arguments.path).lexically_normal();
    json::object body{{"path", path.native()},
                      {"include", json::array(arguments.include.begin(), arguments.include.end())},
                      {"ignore", json::array(arguments.ignored.begin(), arguments.ignored.end())}};
    if (!arguments.name.empty()) body["name"] = arguments.name;
    const auto made = ask_libraries(arguments, "POST", {}, json::serialize(body));
    fmt::print("{}\n", made.at("id").as_string().c_str());
    return 0;
}

int list_libraries(LibraryArguments& arguments)
{
    fmt::print("{:<34}  {:<11}  {:>9}  {:>9}  {}\n", "ID", "STATE", "MODELS", "FILES", "PATH AND NAME");
    const auto listed = ask_libraries(arguments, "GET", {});
    for (const auto& library : listed.at("items").as_array())
        print_library(library);
    return 0;
}

int set_library_paused(LibraryArguments& arguments, bool paused)
{
    ask_libraries(arguments, "PATCH", "/" + arguments.id, json::serialize(json::object{{"paused", paused}}));
    return 0;
}

void declare_library_server(CLI::App& app, LibraryArguments& arguments)
{
    app.add_option("--server", arguments.server.url, "URL of the server, or unix:PATH")
        ->envname("VITRINE_SERVER")
        ->capture_default_str();
    app.add_option("--token", arguments.server.token, "A token of an admin; default: that of the data folder")
        ->envname("VITRINE_TOKEN");
    app.add_option("--ca-file", arguments.server.ca_file,
                   "PEM file of certificates to trust instead of the system's")
        ->envname("VITRINE_CA_FILE");
    app.add_option("--data", arguments.data, "Data folder of the server, for its token")
        ->envname("VITRINE_DATA");
}

} // namespace

Action declare_library(CLI::App& app)
{
    auto arguments = std::make_shared<LibraryArguments>();
    app.require_subcommand(1);
    auto* add = app.add_subcommand("add", "Show the models of a folder of the server without copying them");
    add->add_option("PATH", arguments->path, "The folder, below a --library-root of the server")->required();
    add->add_option("--name", arguments->name, "Name of the library; default: that of the folder");
    add->add_option("--include", arguments->include,
                    "Only models whose names or paths match a pattern such as *.glb or characters/**");
    add->add_option("--ignore", arguments->ignored,
                    "No files and folders whose names or paths match a pattern such as backup/ or *.old.*");
    auto* list = app.add_subcommand("list", "List the libraries");
    auto* scan = app.add_subcommand("scan", "Look for changes in a library now");
    auto* pause = app.add_subcommand("pause", "Stop the scans of a library. Its assets stay as they are");
    auto* resume = app.add_subcommand("resume", "End the pause of a library, and look for changes");
    auto* remove = app.add_subcommand(
        "remove", "Forget a library. Its assets go to the trash; its files stay as they are");
    for (auto* command : {scan, pause, resume, remove})
        command->add_option("ID", arguments->id, "Its id in the list")->required();
    for (auto* command : {add, list, scan, pause, resume, remove})
        declare_library_server(*command, *arguments);
    return [arguments, add, list, scan, pause, resume] {
        if (add->parsed()) return add_library(*arguments);
        if (list->parsed()) return list_libraries(*arguments);
        if (pause->parsed() || resume->parsed()) return set_library_paused(*arguments, pause->parsed());
        if (scan->parsed())
            ask_libraries(*arguments, "POST", "/" + arguments->id + "/scan");
        else
            ask_libraries(*arguments, "DELETE", "/" + arguments->id);
        return 0;
    };
}

} // namespace vitrine::cli
