// Serves the files of the web client, and the pages of the documentation below /docs.
#include <array>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/guide/guide_pages.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"

namespace vitrine::server {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 16> content_types{{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".json", "application/json"},
    {".map", "application/json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".jpg", "image/jpeg"},
    {".webp", "image/webp"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".wasm", "application/wasm"},
    {".txt", "text/plain; charset=utf-8"},
    {".md", "text/markdown; charset=utf-8"},
    {".webmanifest", "application/manifest+json"},
}};

constexpr std::uint64_t memory_file_bytes = 1 << 20;

std::string_view type_of(const std::filesystem::path& path)
{
    auto extension = path.extension().string();
    for (auto [known, type] : content_types) {
        if (known == extension) return type;
    }
    return "application/octet-stream";
}

struct StaticFile {
    std::shared_ptr<const OpenFile> file;
    std::uint64_t size_bytes = 0;
    std::string etag;
};

std::optional<StaticFile> open_file(const std::filesystem::path& path)
{
    auto file = std::make_shared<OpenFile>(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    struct stat status{};
    if (file->descriptor() < 0 || ::fstat(file->descriptor(), &status) != 0 || !S_ISREG(status.st_mode))
        return {};
    auto size = static_cast<std::uint64_t>(status.st_size);
    auto etag = fmt::format("\"{:x}-{:x}-{:x}\"", size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
    return StaticFile{std::move(file), size, std::move(etag)};
}

HandlerResult without_page(ProcessRole role)
{
    if (role == ProcessRole::worker)
        return text_response(200, "text/plain; charset=utf-8",
                             "This is a worker of Vitrine; its page is at the processes of the role api.\n");
    return text_response(
        200, "text/html; charset=utf-8",
        "<!doctype html><title>Vitrine</title><p>Vitrine is running, but the web client is not installed "
        "beside the program; build it with script/build or set --web. The <a href=\"/docs/api\">API</a> is "
        "available.\n");
}

// Small files are read, so that their responses can be compressed and cached.
ResponseBody body_of(const StaticFile& found)
{
    FileSlice slice{found.file, 0, found.size_bytes};
    if (found.size_bytes > memory_file_bytes) return slice;
    std::string text(found.size_bytes, '\0');
    const auto got = ::pread(found.file->descriptor(), text.data(), text.size(), 0);
    if (got < 0 || static_cast<std::uint64_t>(got) != found.size_bytes) return slice;
    return text;
}

// The web client's paths besides "/" (web_client/src/state/router.ts): "/compare", "/settings", "/assets/ID"
// and "/assets/ID/versions/N", also with '/' at their end. Every other path that names no file is unknown.
bool is_client_route(const std::vector<std::string>& segments)
{
    const auto size = segments.size() - (segments.back().empty() ? 1 : 0);
    if (size == 1 && (segments.front() == "compare" || segments.front() == "settings")) return true;
    const bool is_version = size == 4 && segments[2] == "versions" && parse_version(segments[3]);
    if (segments.front() != "assets" || (size != 2 && !is_version)) return false;
    const auto name = join_safely({segments[0], segments[1]}, 0);
    return name && std::filesystem::path(*name).extension().empty();
}

HandlerResult serve(const Request& request, const StaticFile& found, std::string_view type, bool immutable)
{
    if (auto same = not_modified(request, found.etag, immutable)) return std::move(*same);
    Response response{.status = 200, .headers = {}, .body = body_of(found)};
    response.headers.add("Content-Type", std::string(type));
    add_caching(response, found.etag, immutable);
    return response;
}

HandlerResult html_response(std::string html)
{
    return text_response(200, "text/html; charset=utf-8", std::move(html));
}

} // namespace

// Vite adds a content hash to the name of every file in assets/.
HandlerResult get_page(const Request& request, Context& context)
{
    if (context.web.empty()) {
        if (request.target.path == "/") return without_page(context.services.role);
        return problem(404, "no_route", "This path does not exist.");
    }
    const auto name = request.target.path == "/" ? std::optional<std::string>("index.html")
                                                 : join_safely(request.target.segments, 0);
    const auto path = name ? context.web / *name : std::filesystem::path();
    if (const auto found = name ? open_file(path) : std::nullopt)
        return serve(request, *found, type_of(path), name->starts_with("assets/"));
    if (is_client_route(request.target.segments)) {
        if (const auto index = open_file(context.web / "index.html"))
            return serve(request, *index, "text/html; charset=utf-8", false);
    }
    return problem(404, "no_route", "This path does not exist.");
}

HandlerResult get_guide(const Request&, Context&)
{
    return html_response(guide_page("guide"));
}

HandlerResult get_guide_page(const Request& request, Context&)
{
    const auto& name = request.param("page");
    const bool has_other_path = name == "guide" || name == "api";
    auto html = has_other_path ? std::string() : guide_page(name);
    if (html.empty()) return problem(404, "no_route", "This path does not exist.");
    return html_response(std::move(html));
}

} // namespace vitrine::server
