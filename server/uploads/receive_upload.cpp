// The body of an upload is hashed and streamed to blobs. Memory holds two chunks of it.
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "server/net/accept.hpp"
#include "server/net/async.hpp"
#include "server/net/multipart.hpp"
#include "server/uploads/receive_parts.hpp"
#include "server/uploads/upload_sinks.hpp"

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

// With room for the declared length; the quota does not count what is only answered.
SinkResult make_counted_sink(const Request& request, const std::optional<std::string>& name, UploadUse use,
                             MemoryFiles* memory, Context& context)
{
    auto sink = make_sink(request, name, memory, context);
    if (!sink || use == UploadUse::answered) return sink;
    auto room =
        context.services.quota.reserve(to_text(request.principal), request.content_length.value_or(0));
    if (!room) return problem(room.error());
    (*sink)->room.emplace(*std::move(room));
    return sink;
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

// A body of unknown length needs more than was reserved for it.
Rejection count_arrived(UploadSink& sink, std::uint64_t bytes)
{
    if (!sink.room) return std::nullopt;
    if (auto room = sink.room->grow_to(bytes); !room) return to_problem(room.error());
    return std::nullopt;
}

// The bytes of a body so far, to this chunk.
struct ArrivedChunk {
    BodyChunks::Chunk chunk;
    std::uint64_t received = 0;
    bool on_disk = true;
};

StartedCall<Rejection> start_storing(std::shared_ptr<UploadSink> sink, ArrivedChunk arrived, Context& context)
{
    auto store = [sink = std::move(sink), arrived = std::move(arrived), &context,
                  is_added = false]() mutable -> Stored {
        if (!std::exchange(is_added, true)) {
            // A chunked body has no declared length, and other processes write to the disk too.
            if (arrived.on_disk)
                if (auto full = check_room(arrived.chunk->size(), context)) return full;
            if (auto full = count_arrived(*sink, arrived.received)) return full;
            sink->add(*arrived.chunk);
        }
        UploadTurn turn;
        return sink->store(turn);
    };
    return {StartedCall<Rejection>::in_turns, context.uploads_pool, std::move(store)};
}

} // namespace

asio::awaitable<ReceivedUpload> receive_upload(Request& request, std::optional<std::string> name,
                                               UploadUse use, BodySource& body, Context& context,
                                               MemoryFiles* memory)
{
    auto created = co_await run_on_pool(
        context.uploads_pool, [&] { return make_counted_sink(request, name, use, memory, context); });
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
        storing = start_storing(sink, {chunk, chunks.received(), memory == nullptr}, context);
    }
    context.services.metrics.upload_bytes.Increment(static_cast<double>(chunks.received()));
    auto rejection = co_await run_on_pool(context.uploads_pool, [sink] { return sink->finish(); });
    if (rejection) co_return std::unexpected(*rejection);
    co_return sink;
}

} // namespace vitrine::server
