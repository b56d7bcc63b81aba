// New assets from multipart or one zip, hashed and streamed to blobs, or from finished uploads. Memory holds
// two chunks of the body.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/query_reader.hpp"
#include "server/handlers/upload_sinks.hpp"
#include "server/net/accept.hpp"
#include "server/net/async.hpp"
#include "server/net/multipart.hpp"
#include "server/routing/idempotency.hpp"
#include "server/services/events/event_bus.hpp"
#include "server/uploads/named_uploads.hpp"
#include "server/uploads/receive_parts.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

bool is_zip(std::string_view content_type)
{
    const auto name = media_type_of(content_type);
    return name == "application/zip" || name == "application/x-zip-compressed";
}

Rejection check_size(const Request& request, MemoryFiles* memory, const Context& context)
{
    auto length = request.content_length.value_or(0);
    if (length > context.limits.max_upload_bytes) {
        return upload_problem(413, "upload_too_large", "The upload is larger than this server accepts.");
    }
    if (memory == nullptr) return check_room(length, context);
    memory->reserve(length);
    return std::nullopt;
}

using SinkResult = std::expected<std::unique_ptr<UploadSink>, api::Problem>;

SinkResult make_sink(const Request& request, const std::optional<std::string>& name, MemoryFiles* memory,
                     Context& context)
{
    if (auto rejection = check_size(request, memory, context)) return std::unexpected(*rejection);
    BlobFactory& files = memory != nullptr ? *memory : static_cast<BlobFactory&>(*context.services.blobs);
    auto type = request.headers.find("Content-Type").value_or("");
    if (auto boundary = multipart_boundary(type)) {
        return make_form_sink(files, context.services.ingest.arriving_models(), *boundary,
                              context.limits.max_upload_files);
    }
    if (is_zip(type) || name) return make_whole_sink(files, name.value_or("upload.zip"));
    return problem(415, "unsupported_media_type",
                   "Send files as multipart/form-data, one zip as application/zip, finished uploads as "
                   "application/json, or one file with the parameter name.");
}

std::expected<std::optional<std::string>, api::Problem> read_upload_name(const Request& request)
{
    QueryReader reader(request);
    auto name = reader.text("name");
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    return name;
}

// Returns a text that identifies the parts of an upload, independent of their order.
std::string content_of(std::vector<FileRecord> files)
{
    std::ranges::sort(files, {}, [](const FileRecord& file) { return std::tie(file.name, file.blob); });
    Sha256 hash;
    for (const auto& file : files)
        hash.update(file.blob + file.name + std::string(1, '\0'));
    return hash.finish();
}

HandlerResult ingest(std::vector<FileRecord> files, Context& context)
{
    std::vector<IgnoredFile> ignored;
    auto created = context.services.ingest.ingest(std::move(files), &ignored);
    if (!created) return problem(created.error());
    bool known = std::all_of(created->begin(), created->end(), [](const auto& one) { return one.existing; });
    auto response = json_response(known ? 200 : 201, api::upload_json(*created, ignored));
    if (created->size() == 1) response.headers.add("Location", "/v1/assets/" + created->front().asset.id);
    return response;
}

// Combines the pieces of a body while earlier ones are stored. Each chunk is memory of its own.
class BodyChunks {
public:
    using Chunk = std::shared_ptr<std::vector<std::byte>>;
    using Storing = std::optional<StartedCall<Rejection>>;

    explicit BodyChunks(BodySource& body) : body_(body) {}

    // Empty at the end. One piece if nothing is being stored any more, otherwise what arrives meanwhile.
    asio::awaitable<Chunk> next(const Storing& storing)
    {
        auto chunk = std::make_shared<std::vector<std::byte>>();
        while (!ended_) {
            const auto piece = co_await body_.next();
            ended_ = piece.empty();
            chunk->insert(chunk->end(), piece.begin(), piece.end());
            if (chunk->size() >= chunk_bytes || !storing || storing->is_finished() || !body_.has_arrived())
                break;
            chunk->reserve(chunk_bytes + piece.size());
        }
        received_ += chunk->size();
        co_return chunk;
    }
    std::uint64_t received() const { return received_; }

private:
    static constexpr std::size_t chunk_bytes = 256 << 10;

    BodySource& body_;
    std::uint64_t received_ = 0;
    bool ended_ = false;
};

StartedCall<Rejection> start_storing(std::shared_ptr<UploadSink> sink, BodyChunks::Chunk chunk, bool on_disk,
                                     Context& context)
{
    auto store = [sink = std::move(sink), chunk = std::move(chunk), on_disk, &context,
                  is_added = false]() mutable -> Stored {
        if (!std::exchange(is_added, true)) {
            // A chunked body has no declared length, and other processes write to the disk too.
            if (auto full = on_disk ? check_room(chunk->size(), context) : std::nullopt) return full;
            sink->add(*chunk);
        }
        UploadTurn turn;
        return sink->store(turn);
    };
    return {StartedCall<Rejection>::in_turns, context.uploads_pool, std::move(store)};
}

} // namespace

asio::awaitable<ReceivedUpload> receive_upload(Request& request, std::optional<std::string> name,
                                               BodySource& body, MemoryFiles* memory, Context& context)
{
    auto created =
        co_await run_on_pool(context.uploads_pool, [&] { return make_sink(request, name, memory, context); });
    if (!created) co_return std::unexpected(created.error());
    std::shared_ptr<UploadSink> sink = std::move(*created);
    BodyChunks chunks(body);
    BodyChunks::Storing storing; // the previous chunk, while the next one arrives
    for (;;) {
        const bool reads_ahead =
            body.has_arrived(); // a peer that waits learns at once that storing has failed
        BodyChunks::Chunk chunk;
        if (reads_ahead || !storing) chunk = co_await chunks.next(storing);
        if (storing) {
            if (auto rejection = co_await storing->result()) co_return std::unexpected(*rejection);
            storing.reset();
        }
        if (!chunk) continue;
        if (chunk->empty()) break;
        if (chunks.received() > context.limits.max_upload_bytes)
            co_return problem(413, "upload_too_large", "The upload is larger than this server accepts.");
        storing = start_storing(sink, chunk, memory == nullptr, context);
    }
    context.services.metrics.upload_bytes.Increment(static_cast<double>(chunks.received()));
    auto rejection = co_await run_on_pool(context.uploads_pool, [sink] { return sink->finish(); });
    if (rejection) co_return std::unexpected(*rejection);
    co_return sink;
}

namespace {

constexpr std::size_t max_names_bytes = 1 << 20; // of a body that names uploads

bool is_json(const Request& request)
{
    return media_type_of(request.headers.find("Content-Type").value_or("")) == "application/json";
}

// The uploads exist no more after this if they have become assets.
HandlerResult ingest_named(const std::vector<NamedUpload>& named, Context& context)
{
    auto read = read_named_uploads(named, context);
    if (!read) return std::unexpected(read.error());
    auto response = ingest(std::move(read->files), context);
    if (!response) return response;
    for (const auto& upload : read->uploads)
        context.services.uploads.remove(upload);
    return response;
}

asio::awaitable<HandlerResult> create_from_uploads(const Request& request, std::string key, BodySource& body,
                                                   Context& context)
{
    if (auto rejection = reject_query(request)) co_return std::unexpected(*rejection);
    std::string text;
    for (auto piece = co_await body.next(); !piece.empty(); piece = co_await body.next()) {
        if (piece.size() > max_names_bytes - text.size())
            co_return problem(413, "body_too_large", "The body is longer than this route accepts.");
        text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    }
    auto named = parse_named_uploads(text, context.limits.max_upload_files);
    if (!named) co_return std::unexpected(named.error());
    co_return co_await run_on_pool(context.uploads_pool, [&] {
        const auto content = key.empty() ? std::string() : content_of(*named);
        return run_idempotent(key, content, context, [&] { return ingest_named(*named, context); });
    });
}

} // namespace

asio::awaitable<HandlerResult> create_assets(Request& request, BodySource& body, Context& context)
{
    auto key = read_idempotency_key(request);
    if (!key) co_return std::unexpected(key.error());
    if (is_json(request)) co_return co_await create_from_uploads(request, std::move(*key), body, context);
    auto name = read_upload_name(request);
    if (!name) co_return std::unexpected(name.error());
    auto received = co_await receive_upload(request, std::move(*name), body, nullptr, context);
    if (!received) co_return std::unexpected(received.error());
    co_return co_await run_on_pool(context.scenes_pool, [sink = *received, &context, key = std::move(*key)] {
        auto content = key.empty() ? std::string() : content_of(sink->files);
        return run_idempotent(key, content, context, [&] { return ingest(std::move(sink->files), context); });
    });
}

} // namespace vitrine::server
