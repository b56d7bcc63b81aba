// The original files, unmodified, with range requests.
#include <algorithm>
#include <span>

#include <fcntl.h>
#include <fmt/format.h>

#include "loaders/io/resource_name.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/net/byte_range.hpp"
#include "server/routing/query_reader.hpp"

namespace vitrine::server {
namespace {

constexpr std::uint64_t max_files_of_page = 500;

std::string url_of(const AssetRecord& asset, const FileRecord& file)
{
    return fmt::format("{}/files/{}", asset.path(), percent_encode(file.name, true));
}

// Null for HEAD: the catalog knows the size, so that nothing is fetched from an object store.
std::expected<std::shared_ptr<const OpenFile>, api::Problem>
open_blob(const Request& request, const FileRecord& file, Context& context)
{
    if (request.method == Method::head) return nullptr;
    const auto local = context.services.blobs->find_local(file.blob);
    if (!local) return problem(local.error());
    auto handle = std::make_shared<OpenFile>(local->descriptor >= 0
                                                 ? ::fcntl(local->descriptor, F_DUPFD_CLOEXEC, 0)
                                                 : ::open(local->path.c_str(), O_RDONLY | O_CLOEXEC));
    if (handle->descriptor() < 0) return problem(503, "storage_failed", "The file cannot be read.");
    return handle;
}

// A range of a large file of the object store, which is not copied to this machine; false: open_blob().
bool read_part(const FileRecord& file, const ByteRange& range, Context& context, Response& response)
{
    BodyWriter writer(context.responses);
    const bool is_read = context.services.blobs->read_part(
        file.blob, {.blob_bytes = file.size_bytes, .offset = range.offset, .length = range.length},
        [&](std::span<const std::byte> bytes) {
            writer.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        });
    if (is_read) writer.finish(response);
    return is_read;
}

bool range_applies(const Request& request, const std::string& etag)
{
    auto condition = request.headers.find("If-Range");
    return !condition || *condition == etag;
}

Response reject_range(const Request& request, const FileRecord& file)
{
    auto response = to_response({.status = 416,
                                 .code = "bad_range",
                                 .detail = "The range starts after the end of the file.",
                                 .request_id = request.id});
    response.headers.add("Content-Range", fmt::format("bytes */{}", file.size_bytes));
    return response;
}

// Browsers must never execute an original file.
std::string disposition_of(const FileRecord& file)
{
    return fmt::format("attachment; filename*=UTF-8''{}", percent_encode(io::base_name(file.name)));
}

void add_download_headers(Response& response, const FileRecord& file)
{
    response.headers.add("Content-Type", "application/octet-stream");
    response.headers.add("Accept-Ranges", "bytes");
    response.headers.add("Content-Disposition", disposition_of(file));
}

// The object store sends the file itself, if --blob-redirect-seconds allows it.
std::optional<Response> redirect_to_store(const Request& request, const FileRecord& file, Context& context)
{
    if (request.method != Method::get) return std::nullopt;
    auto url = context.services.blobs->download_url(file.blob, disposition_of(file));
    if (!url) return std::nullopt;
    Response response{.status = 302, .headers = {}, .body = {}};
    response.headers.add("Location", std::move(*url));
    response.headers.add("Cache-Control", "private, no-store");
    return response;
}

} // namespace

HandlerResult list_files(const Request& request, Context& context)
{
    QueryReader reader(request);
    const auto limit = reader.integer("limit", 1, max_files_of_page).value_or(max_files_of_page);
    const auto cursor = reader.text("cursor");
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    auto asset = require_asset(request, context);
    if (!asset) return std::unexpected(asset.error());
    const auto files = context.services.catalog.files(asset->id, asset->version);
    auto from = files.begin();
    if (cursor) {
        from = std::ranges::find(files, *cursor, &FileRecord::name);
        if (from == files.end())
            return problem(400, "bad_cursor", "The cursor is of no page of these files.");
        ++from;
    }
    const auto count = std::min<std::size_t>(limit, static_cast<std::size_t>(files.end() - from));
    std::vector<api::File> page;
    for (const auto& file : std::span(from, count))
        page.push_back({.name = file.name,
                        .size_bytes = file.size_bytes,
                        .sha256 = file.blob,
                        .is_main = file.name == asset->main_file,
                        .url = url_of(*asset, file)});
    const bool is_last = from + static_cast<std::ptrdiff_t>(count) == files.end();
    auto response = json_response(200, api::list_json(page, is_last ? "" : page.back().name));
    if (!is_last)
        response.headers.add("Link",
                             fmt::format("<{}>; rel=\"next\"", next_page_url(request, page.back().name)));
    return response;
}

HandlerResult get_file(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto asset = require_asset(request, context);
    if (!asset) return std::unexpected(asset.error());
    auto files = context.services.catalog.files(asset->id, asset->version);
    auto has_path = [&](const FileRecord& file) { return file.name == request.param("path"); };
    auto file = std::find_if(files.begin(), files.end(), has_path);
    if (file == files.end()) return problem(404, "no_file", "This asset has no file of that name.");
    auto etag = fmt::format("\"{}\"", file->blob);
    if (auto same = not_modified(request, etag)) return std::move(*same);

    if (auto moved = redirect_to_store(request, *file, context)) return std::move(*moved);

    ByteRange range{.offset = 0, .length = file->size_bytes};
    auto state = RangeState::whole;
    auto field = request.headers.find("Range");
    if (field && range_applies(request, etag)) state = parse_range(*field, file->size_bytes, range);
    if (state == RangeState::unsatisfiable) return reject_range(request, *file);
    Response response{.status = state == RangeState::partial ? 206 : 200};
    const bool is_get_of_part = state == RangeState::partial && request.method == Method::get;
    if (!is_get_of_part || !read_part(*file, range, context, response)) {
        auto handle = open_blob(request, *file, context);
        if (!handle) return std::unexpected(handle.error());
        response.body = FileSlice{std::move(*handle), range.offset, range.length};
    }
    add_caching(response, etag);
    add_download_headers(response, *file);
    if (state == RangeState::partial) {
        auto last = range.offset + range.length - 1;
        response.headers.add("Content-Range",
                             fmt::format("bytes {}-{}/{}", range.offset, last, file->size_bytes));
    }
    return response;
}

} // namespace vitrine::server
