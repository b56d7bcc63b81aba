#include "server/cli/import.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "server/util/upload_limits.hpp"
#include "server/util/zip_name.hpp"

namespace vitrine::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

json::object parse_object(const std::string& text)
{
    boost::system::error_code error;
    auto value = json::parse(text, error);
    return !error && value.is_object() ? value.as_object() : json::object();
}

std::vector<worker::BundleFile> files_below(const fs::path& folder)
{
    // Keeps the folder's own name, as browsers do: Quake player models are named by it.
    const auto label = fs::canonical(folder).filename();
    std::vector<worker::BundleFile> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file() || entry.path().filename().string().starts_with('.')) continue;
        if (files.size() == server::max_upload_files)
            throw std::runtime_error(fmt::format("{}: contains more than {} files; import its subfolders",
                                                 folder.string(), server::max_upload_files));
        files.push_back({(label / fs::relative(entry.path(), folder)).generic_string(), entry.path()});
    }
    return files;
}

// Names files relative to their common parent folder: "../textures/a.png" of a model in "fbx" becomes
// "textures/a.png" beside "fbx/model.fbx".
void name_from_common_folder(std::vector<worker::BundleFile>& files, const fs::path& folder)
{
    constexpr std::string_view parent_prefix = "../";
    std::size_t levels = 0;
    for (const auto& file : files) {
        std::size_t parent_count = 0;
        while (file.name.substr(parent_count * parent_prefix.size()).starts_with(parent_prefix))
            ++parent_count;
        levels = std::max(levels, parent_count);
    }
    auto root = folder;
    for (std::size_t level = 0; level < levels; ++level)
        root = root.parent_path();
    if (levels == 0) return;
    for (auto& file : files)
        file.name = (folder / file.name).lexically_normal().lexically_relative(root).generic_string();
}

// Returns a model with the files it refers to, found by loading it here. No other file of its folder is
// uploaded; errors in the model are reported by the server.
std::vector<worker::BundleFile> model_and_needed(const fs::path& file)
{
    std::vector<worker::BundleFile> needed{{file.filename().string(), fs::weakly_canonical(file)}};
    worker::ClientOptions options;
    options.opened = [&](const worker::BundleFile& opened) {
        if (opened.name != needed.front().name) needed.push_back(opened);
    };
    std::ignore = worker::load_with_siblings(file, options);
    std::error_code ignored;
    name_from_common_folder(needed,
                            fs::canonical(file.has_parent_path() ? file.parent_path() : ".", ignored));
    return needed;
}

// Uploads from this size on are resumable. Below, one request is faster than one for each file.
constexpr std::uint64_t resumable_bytes = 32ull << 20;

// Other imports come before those of folders and zips.
Reply send(ImportClient& client, const fs::path& path, const ImportOptions& options,
           const ImportProgress& progress)
{
    const auto name = path.filename().string();
    const bool is_folder = fs::is_directory(path);
    const bool is_zip = !is_folder && server::is_zip_name(name);
    std::string target = is_folder || is_zip ? "/v1/assets?priority=bulk" : "/v1/assets?priority=interactive";
    if (!options.collection.empty()) target += "&collection=" + client.escape(options.collection);
    const auto files = is_folder ? files_below(path)
                       : is_zip  ? std::vector<worker::BundleFile>{{name, path}}
                                 : model_and_needed(path);
    if (bytes_of(files) >= resumable_bytes) return upload_resumable(client, files, progress, target);
    return client.upload(files, progress, target);
}

// Polls until the job has ended. Returns its last known state.
json::object await_job(ImportClient& client, json::object job, const ImportProgress& progress)
{
    for (;;) {
        auto state = api::text_of(job, "state");
        if (state != "queued" && state != "running") return job;
        const auto* done = job.if_contains("progress");
        progress.line.show_bar(progress.label, done && done->is_number() ? done->to_number<double>() : 0.0,
                               "importing: " + api::text_of(job, "stage"));
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        if (client.stopped()) return job;
        auto reply = client.get("/v1/jobs/" + api::text_of(job, "id"));
        if (reply.status != 200) return job;
        job = parse_object(reply.body);
    }
}

bool report_item(ImportClient& client, const json::object& item, bool wait, const ImportProgress& progress)
{
    const auto& asset = item.at("asset").as_object();
    auto job = item.at("job").is_object() ? item.at("job").as_object() : json::object();
    if (wait) job = await_job(client, job, progress);
    progress.line.clear();
    if (client.stopped()) return true;
    auto state = api::text_of(job, "state");
    std::string why;
    if (auto problem = job.if_contains("problem"); problem && problem->is_object())
        why = ": " + api::text_of(problem->as_object(), "detail");
    fmt::print("{}  {}  {}{}\n", api::text_of(asset, "id"), api::text_of(asset, "name"), state, why);
    std::fflush(stdout); // a process that reads the output of --watch gets each line at once
    return state != "failed" && state != "cancelled";
}

} // namespace

bool import_path(ImportClient& client, const fs::path& path, const ImportOptions& options)
{
    if (!fs::exists(path)) {
        fmt::print(stderr, "vitrine: {}: there is no such file or folder\n", path.string());
        return false;
    }
    ProgressLine line;
    const ImportProgress progress{line, path.filename().string()};
    auto reply = send(client, path, options, progress);
    line.clear();
    if (client.stopped()) return true;
    auto body = parse_object(reply.body);
    bool good =
        reply.failure.empty() && (reply.status == 200 || reply.status == 201) && body.contains("items");
    if (!good) {
        auto why = reply.failure.empty() ? api::text_of(body, "detail") : reply.failure;
        if (reply.status == 401)
            why = "the server requires its token: set --token or VITRINE_TOKEN, or --data to its data "
                  "directory";
        fmt::print(stderr, "vitrine: {}: {}\n", path.string(),
                   why.empty() ? fmt::format("HTTP status {}", reply.status) : why);
        return false;
    }
    for (const auto& item : body.at("items").as_array())
        good = report_item(client, item.as_object(), options.wait, progress) && good;
    return good;
}

} // namespace vitrine::cli
