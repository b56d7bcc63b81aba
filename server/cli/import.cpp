// `vitrine import`: uploads files, folders and zips to a server.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <boost/json/parse.hpp>
#include <curl/curl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "loaders/worker/client.hpp"
#include "server/cli/command.hpp"

namespace vitrine::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::size_t max_files = 10'000; // of one upload

struct Arguments {
    std::string server = "http://127.0.0.1:8080";
    std::string token;
    std::vector<std::string> paths;
    bool wait = true;
};

struct Reply {
    long status = 0;
    std::string body{};
    std::string failure{}; // of the connection
};

// A line on a terminal that is drawn over; nothing where stderr is a file.
class ProgressBar {
public:
    explicit ProgressBar(std::string label) : label_(std::move(label)), shown_(::isatty(STDERR_FILENO) != 0)
    {
    }
    void show(double fraction, std::string_view what)
    {
        auto now = std::chrono::steady_clock::now();
        if (!shown_ || now - last_ < std::chrono::milliseconds(50)) return;
        last_ = now;
        auto filled = static_cast<std::size_t>(std::clamp(fraction, 0.0, 1.0) * 24.0);
        fmt::print(stderr, "\r\033[K{} [{}{}] {:3.0f}% {}", label_, std::string(filled, '#'),
                   std::string(24 - filled, '.'), fraction * 100.0, what);
    }
    void clear() const
    {
        if (shown_) fmt::print(stderr, "\r\033[K");
    }

private:
    std::string label_;
    bool shown_;
    std::chrono::steady_clock::time_point last_{};
};

std::size_t take_body(char* data, std::size_t size, std::size_t count, void* out)
{
    auto& body = *static_cast<std::string*>(out);
    if (body.size() + size * count > (64u << 20)) return 0;
    body.append(data, size * count);
    return size * count;
}

int show_upload(void* bar, curl_off_t, curl_off_t, curl_off_t total, curl_off_t done)
{
    double fraction = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0.0;
    static_cast<ProgressBar*>(bar)->show(fraction, "uploading");
    return 0;
}

// One connection to the server, kept alive over all requests.
class Client {
public:
    explicit Client(const Arguments& arguments)
        : arguments_(arguments), curl_(curl_easy_init(), curl_easy_cleanup)
    {
        if (!curl_) throw std::runtime_error("libcurl cannot start");
    }

    Reply get(const std::string& path) { return perform(path, nullptr, nullptr, nullptr); }

    Reply upload(const std::vector<worker::BundleFile>& files, ProgressBar& bar)
    {
        std::unique_ptr<curl_mime, decltype(&curl_mime_free)> form(curl_mime_init(curl_.get()),
                                                                   curl_mime_free);
        for (const auto& file : files) {
            auto* part = curl_mime_addpart(form.get());
            curl_mime_name(part, "file");
            curl_mime_filedata(part, file.path.c_str());
            curl_mime_filename(part, file.name.c_str());
            curl_mime_type(part, "application/octet-stream");
        }
        return perform("/v1/assets", form.get(), nullptr, &bar);
    }

    Reply upload_zip(const fs::path& file, ProgressBar& bar)
    {
        std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"), std::fclose);
        if (!in) return {.failure = "cannot be read"};
        curl_easy_reset(curl_.get());
        curl_easy_setopt(curl_.get(), CURLOPT_POSTFIELDSIZE_LARGE,
                         static_cast<curl_off_t>(fs::file_size(file)));
        std::unique_ptr<char, decltype(&curl_free)> name(
            curl_easy_escape(curl_.get(), file.filename().c_str(), 0), curl_free);
        return perform("/v1/assets?name=" + std::string(name.get()), nullptr, in.get(), &bar);
    }

private:
    using FieldList = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

    FieldList fields(bool zip) const
    {
        curl_slist* list = nullptr;
        if (zip) list = curl_slist_append(list, "Content-Type: application/zip");
        if (!arguments_.token.empty())
            list = curl_slist_append(list, ("Authorization: Bearer " + arguments_.token).c_str());
        return {list, curl_slist_free_all};
    }

    Reply perform(const std::string& path, curl_mime* form, std::FILE* zip, ProgressBar* bar)
    {
        auto* curl = curl_.get();
        Reply reply;
        if (!zip) curl_easy_reset(curl);
        auto list = fields(zip != nullptr);
        curl_easy_setopt(curl, CURLOPT_URL, (arguments_.server + path).c_str());
        curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list.get());
        curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
        curl_easy_setopt(curl, CURLOPT_WRITEDATA, &reply.body);
        curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
        if (form) curl_easy_setopt(curl, CURLOPT_MIMEPOST, form);
        if (zip) {
            curl_easy_setopt(curl, CURLOPT_POST, 1L);
            curl_easy_setopt(curl, CURLOPT_READDATA, zip);
        }
        if (bar) {
            curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
            curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, show_upload);
            curl_easy_setopt(curl, CURLOPT_XFERINFODATA, bar);
        }
        auto code = curl_easy_perform(curl);
        if (code != CURLE_OK) reply.failure = curl_easy_strerror(code);
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &reply.status);
        return reply;
    }

    const Arguments& arguments_;
    std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl_;
};

json::object parse_object(const std::string& text)
{
    boost::system::error_code error;
    auto value = json::parse(text, error);
    return !error && value.is_object() ? value.as_object() : json::object();
}

std::string text_of(const json::object& object, std::string_view key)
{
    auto value = object.if_contains(key);
    return value && value->is_string() ? std::string(value->as_string()) : std::string();
}

std::vector<worker::BundleFile> files_below(const fs::path& folder)
{
    std::vector<worker::BundleFile> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file() || entry.path().filename().string().starts_with('.')) continue;
        if (files.size() == max_files)
            throw std::runtime_error(folder.string() +
                                     ": holds more than 10,000 files; import its sub-folders");
        files.push_back({fs::relative(entry.path(), folder).generic_string(), entry.path()});
    }
    return files;
}

// A model with its companions, without the other models of its folder.
std::vector<worker::BundleFile> model_and_companions(const fs::path& file)
{
    auto bundle = worker::bundle_beside(file);
    std::vector<std::string> names;
    for (const auto& entry : bundle)
        names.push_back(entry.name);
    auto models = worker::model_names(names);
    std::erase_if(bundle, [&](const auto& entry) {
        bool other = entry.name != file.filename().string();
        return other && std::find(models.begin(), models.end(), entry.name) != models.end();
    });
    return bundle;
}

bool has_companions(const fs::path& file)
{
    constexpr std::string_view alone[] = {".glb", ".fbx", ".md2", ".stl", ".ply"};
    auto extension = file.extension().string();
    return std::find(std::begin(alone), std::end(alone), extension) == std::end(alone);
}

Reply send(Client& client, const fs::path& path, ProgressBar& bar)
{
    if (fs::is_directory(path)) return client.upload(files_below(path), bar);
    if (path.extension() == ".zip") return client.upload_zip(path, bar);
    if (!has_companions(path)) return client.upload({{path.filename().string(), path}}, bar);
    return client.upload(model_and_companions(path), bar);
}

// The job when it is over, or the last that was heard of it.
json::object await_job(Client& client, json::object job, ProgressBar& bar)
{
    for (;;) {
        auto state = text_of(job, "state");
        if (state != "queued" && state != "running") return job;
        auto progress = job.if_contains("progress");
        bar.show(progress && progress->is_number() ? progress->to_number<double>() : 0.0,
                 "importing: " + text_of(job, "stage"));
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        auto reply = client.get("/v1/jobs/" + text_of(job, "id"));
        if (reply.status != 200) return job;
        job = parse_object(reply.body);
    }
}

bool report_item(Client& client, const json::object& item, bool wait, ProgressBar& bar)
{
    const auto& asset = item.at("asset").as_object();
    auto job = item.at("job").is_object() ? item.at("job").as_object() : json::object();
    if (wait) job = await_job(client, job, bar);
    bar.clear();
    auto state = text_of(job, "state");
    std::string why;
    if (auto problem = job.if_contains("problem"); problem && problem->is_object())
        why = ": " + text_of(problem->as_object(), "detail");
    fmt::print("{}  {}  {}{}\n", text_of(asset, "id"), text_of(asset, "name"), state, why);
    return state != "failed" && state != "cancelled";
}

bool import_path(Client& client, const fs::path& path, bool wait)
{
    if (!fs::exists(path)) {
        fmt::print(stderr, "vitrine: {}: there is no such file or folder\n", path.string());
        return false;
    }
    ProgressBar bar(path.filename().string());
    auto reply = send(client, path, bar);
    bar.clear();
    auto answer = parse_object(reply.body);
    bool good =
        reply.failure.empty() && (reply.status == 200 || reply.status == 201) && answer.contains("items");
    if (!good) {
        auto why = reply.failure.empty() ? text_of(answer, "detail") : reply.failure;
        fmt::print(stderr, "vitrine: {}: {}\n", path.string(),
                   why.empty() ? fmt::format("answer {}", reply.status) : why);
        return false;
    }
    for (const auto& item : answer.at("items").as_array())
        good = report_item(client, item.as_object(), wait, bar) && good;
    return good;
}

int import_all(const Arguments& arguments)
{
    curl_global_init(CURL_GLOBAL_DEFAULT);
    Client client(arguments);
    bool good = true;
    for (const auto& path : arguments.paths)
        good = import_path(client, path, arguments.wait) && good;
    return good ? 0 : 1;
}

} // namespace

Action declare_import(CLI::App& app)
{
    auto arguments = std::make_shared<Arguments>();
    app.add_option("--server", arguments->server, "URL of the server")
        ->envname("VITRINE_SERVER")
        ->capture_default_str();
    app.add_option("--token", arguments->token, "its token")->envname("VITRINE_TOKEN");
    app.add_flag("--wait,!--no-wait", arguments->wait, "wait until the imports are over (default)");
    app.add_option("PATH", arguments->paths, "files, folders (one upload each) and zips")->required();
    return [arguments] { return import_all(*arguments); };
}

} // namespace vitrine::cli
