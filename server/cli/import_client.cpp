#include "server/cli/import.hpp"

#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "server/util/curl_library.hpp"

namespace vitrine::cli {
namespace {

constexpr std::size_t max_response_bytes = 64u << 20;
constexpr std::string_view unix_scheme = "unix:"; // of the URL of a Unix socket: unix:/run/vitrine.sock

std::size_t take_body(char* data, std::size_t size, std::size_t count, void* out)
{
    auto& body = *static_cast<std::string*>(out);
    if (body.size() + size * count > max_response_bytes) return 0;
    body.append(data, size * count);
    return size * count;
}

std::size_t take_field(char* data, std::size_t size, std::size_t count, void* out)
{
    auto& reply = *static_cast<Reply*>(out);
    const std::string_view line(data, size * count);
    const auto colon = line.find(':');
    if (colon == line.npos) return line.size();
    const auto name = ascii::lower(line.substr(0, colon));
    const auto value = ascii::trimmed(line.substr(colon + 1));
    if (name == "location") reply.location = value;
    std::uint64_t offset = 0;
    if (name == "upload-offset" &&
        std::from_chars(value.data(), value.data() + value.size(), offset).ec == std::errc())
        reply.upload_offset = offset;
    return line.size();
}

} // namespace

struct ImportClient::Transfer {
    const ImportClient& client;
    const ImportProgress* progress_line;

    static int progress(void* self, curl_off_t, curl_off_t, curl_off_t total, curl_off_t done)
    {
        auto& transfer = *static_cast<Transfer*>(self);
        double fraction = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0.0;
        if (const auto* shown = transfer.progress_line)
            shown->line.show_bar(shown->label, shown->begin + fraction * (shown->end - shown->begin),
                                 "uploading");
        return transfer.client.stopped() ? 1 : 0;
    }
};

boost::json::value request_json(const ImportServer& server, const char* method, const std::string& path,
                                const std::string& body)
{
    ImportClient client(server, [] { return false; });
    const auto reply = method == std::string_view("GET") ? client.get(path) : client.send(method, path, body);
    if (!reply.failure.empty()) throw std::runtime_error(fmt::format("{}: {}", server.url, reply.failure));
    boost::system::error_code error;
    auto value = boost::json::parse(reply.body, error);
    if (reply.status >= 200 && reply.status < 300) return value;
    const auto* object = value.if_object();
    const auto* detail = object ? object->if_contains("detail") : nullptr;
    throw std::runtime_error(fmt::format("{} answers {}: {}", server.url, reply.status,
                                         detail && detail->is_string() ? detail->as_string().c_str() : ""));
}

ImportClient::ImportClient(const ImportServer& server, std::function<bool()> stopped)
    : server_(server), stopped_(std::move(stopped)),
      curl_(server::curl_library().easy_init(), server::curl_library().easy_cleanup)
{
    if (!curl_) throw std::runtime_error("libcurl cannot be initialized");
}

Reply ImportClient::get(const std::string& path)
{
    return perform(path, {}, nullptr);
}

Reply ImportClient::get_with(const std::string& path, std::vector<std::string> fields)
{
    return perform(path, {.fields = std::move(fields)}, nullptr);
}

Reply ImportClient::send(const char* method, const std::string& path, const std::string& json,
                         std::vector<std::string> fields)
{
    return perform(path,
                   {.method = method, .json = json.empty() ? nullptr : &json, .fields = std::move(fields)},
                   nullptr);
}

Reply ImportClient::send_file(const char* method, const std::string& path, const FilePart& part,
                              std::vector<std::string> fields, const ImportProgress& progress)
{
    return perform(path, {.method = method, .part = part, .fields = std::move(fields)}, &progress);
}

Reply ImportClient::upload(const std::vector<worker::BundleFile>& files, const ImportProgress& progress,
                           const std::string& target)
{
    const auto& lib = server::curl_library();
    const std::unique_ptr<curl_mime, decltype(&curl_mime_free)> form(lib.mime_init(curl_.get()),
                                                                     lib.mime_free);
    for (const auto& file : files) {
        auto* part = lib.mime_addpart(form.get());
        lib.mime_name(part, "file");
        lib.mime_filedata(part, file.path.c_str());
        lib.mime_filename(part, file.name.c_str());
        lib.mime_type(part, "application/octet-stream");
    }
    return perform(target, {.form = form.get()}, &progress);
}

std::string ImportClient::escape(const std::string& text)
{
    const auto& lib = server::curl_library();
    const std::unique_ptr<char, decltype(&curl_free)> escaped(
        lib.easy_escape(curl_.get(), text.c_str(), static_cast<int>(text.size())), lib.free);
    return escaped ? std::string(escaped.get()) : std::string();
}

ImportClient::FieldList ImportClient::fields(const Content& content) const
{
    const auto& lib = server::curl_library();
    curl_slist* list = nullptr;
    if (content.json) list = lib.slist_append(list, "Content-Type: application/json");
    for (const auto& field : content.fields)
        list = lib.slist_append(list, field.c_str());
    if (!server_.token.empty())
        list = lib.slist_append(list, ("Authorization: Bearer " + server_.token).c_str());
    return {list, lib.slist_free_all};
}

Reply ImportClient::perform(const std::string& path, const Content& content, const ImportProgress* progress)
{
    const auto& lib = server::curl_library();
    auto* curl = curl_.get();
    Reply reply;
    lib.easy_reset(curl);
    auto list = fields(content);
    Transfer transfer{*this, progress};
    const bool is_unix = server_.url.starts_with(unix_scheme);
    const auto url = (is_unix ? "http://localhost" : server_.url) + path;
    if (is_unix) lib.easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, server_.url.c_str() + unix_scheme.size());
    if (!server_.ca_file.empty()) lib.easy_setopt(curl, CURLOPT_CAINFO, server_.ca_file.c_str());
    lib.easy_setopt(curl, CURLOPT_URL, url.c_str());
    lib.easy_setopt(curl, CURLOPT_HTTPHEADER, list.get());
    lib.easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    lib.easy_setopt(curl, CURLOPT_WRITEDATA, &reply.body);
    lib.easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_field);
    lib.easy_setopt(curl, CURLOPT_HEADERDATA, &reply);
    lib.easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    lib.easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    lib.easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, Transfer::progress);
    lib.easy_setopt(curl, CURLOPT_XFERINFODATA, &transfer);
    if (content.form) lib.easy_setopt(curl, CURLOPT_MIMEPOST, content.form);
    if (content.part.file) {
        lib.easy_setopt(curl, CURLOPT_POST, 1L);
        lib.easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(content.part.size));
        lib.easy_setopt(curl, CURLOPT_READDATA, content.part.file);
    }
    if (content.json) lib.easy_setopt(curl, CURLOPT_POSTFIELDS, content.json->c_str());
    if (content.method) lib.easy_setopt(curl, CURLOPT_CUSTOMREQUEST, content.method);
    auto code = lib.easy_perform(curl);
    if (code != CURLE_OK) reply.failure = lib.easy_strerror(code);
    lib.easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &reply.status);
    return reply;
}

} // namespace vitrine::cli
