// Uploads: multipart or one zip, hashed and streamed to blobs. Memory holds two chunks of the body.
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/idempotency.hpp"
#include "server/handlers/query_reader.hpp"
#include "server/net/async.hpp"
#include "server/net/multipart.hpp"
#include "server/services/events/event_bus.hpp"
#include "server/util/files.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

using Rejection = std::optional<api::Problem>;

api::Problem upload_problem(int status, std::string code, std::string detail)
{
    return {.status = status, .code = std::move(code), .detail = std::move(detail)};
}

api::Problem nothing_sent()
{
    return upload_problem(422, "empty_upload", "The body is empty.");
}

// Limits one task of the uploads pool, so that the files of one upload do not delay other uploads.
class Turn {
public:
    void count_file() { ++files_; }
    bool is_over() const { return files_ >= max_files || std::chrono::steady_clock::now() >= end_; }

private:
    static constexpr std::size_t max_files = 64; // each costs several system calls and waits for the disk
    static constexpr std::chrono::milliseconds max_time{50};

    std::size_t files_ = 0;
    std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + max_time;
};

// Empty: the turn is over and more is left to store.
using Stored = std::optional<Rejection>;
const Stored stored_all(std::in_place);

// Receives the pieces of a body. Called from the uploads pool, one call at a time.
class UploadSink {
public:
    virtual ~UploadSink() = default;
    // The piece must exist until store() has stored all of it, which it must before the next piece.
    virtual void add(std::span<const std::byte> piece) = 0;
    virtual Stored store(Turn& turn) = 0;
    virtual Rejection finish() = 0;
    std::vector<FileRecord> files;
};

FileRecord commit(BlobWriter& writer, std::string name)
{
    auto blob = writer.commit();
    return {.name = std::move(name),
            .blob = std::move(blob.hash),
            .size_bytes = blob.size_bytes,
            .pin = std::move(blob.pin)};
}

class WholeBody final : public UploadSink {
public:
    WholeBody(BlobStore& blobs, std::string name) : writer_(blobs.create()), name_(std::move(name)) {}
    void add(std::span<const std::byte> piece) override { piece_ = piece; }
    Stored store(Turn&) override
    {
        writer_->write(std::exchange(piece_, {}));
        return stored_all;
    }
    Rejection finish() override
    {
        if (writer_->size_bytes() == 0) return nothing_sent();
        files.push_back(commit(*writer_, name_));
        return std::nullopt;
    }

private:
    std::unique_ptr<BlobWriter> writer_;
    std::string name_;
    std::span<const std::byte> piece_;
};

// Parts with a file name become blobs; plain form fields are skipped.
class FormBody final : public UploadSink {
public:
    FormBody(Services& services, std::string_view boundary, std::size_t limit)
        : blobs_(*services.blobs), parser_(boundary), limit_(limit),
          models_(services.ingest.arriving_models())
    {
    }

    void add(std::span<const std::byte> piece) override
    {
        began_ = true;
        parser_.feed({reinterpret_cast<const char*>(piece.data()), piece.size()});
    }

    Stored store(Turn& turn) override
    {
        for (;;) {
            switch (parser_.next()) {
            case MultipartEvent::need_input: return stored_all;
            case MultipartEvent::part_begin:
                if (auto rejection = begin()) return rejection;
                break;
            case MultipartEvent::part_data:
                if (writer_) writer_->write(std::as_bytes(std::span(parser_.data())));
                break;
            case MultipartEvent::part_end:
                end();
                turn.count_file();
                if (turn.is_over()) return std::nullopt;
                break;
            case MultipartEvent::finished: finished_ = true; return stored_all;
            case MultipartEvent::failed:
                return upload_problem(400, "bad_multipart",
                                      "The form is malformed: " + parser_.error() + ".");
            }
        }
    }

    Rejection finish() override
    {
        if (!began_) return nothing_sent();
        if (!finished_)
            return upload_problem(400, "bad_multipart", "The form ends before its closing boundary.");
        if (files.empty())
            return upload_problem(422, "empty_upload",
                                  "The form contains no file; send parts with a file name.");
        return std::nullopt;
    }

private:
    Rejection begin()
    {
        const auto& name = parser_.part().filename;
        if (!name || name->empty()) return std::nullopt; // a plain field, or an empty file input
        if (files.size() == limit_)
            return upload_problem(413, "too_many_files", "The form contains too many files for one upload.");
        if (auto counted = models_.add(*name); !counted) return to_problem(counted.error());
        writer_ = blobs_.create();
        return std::nullopt;
    }
    void end()
    {
        if (!writer_) return;
        files.push_back(commit(*writer_, *parser_.part().filename));
        writer_.reset();
    }

    BlobStore& blobs_;
    MultipartParser parser_;
    std::size_t limit_; // of files
    ArrivingModels models_;
    std::unique_ptr<BlobWriter> writer_;
    bool began_ = false;
    bool finished_ = false;
};

bool is_zip(std::string_view type)
{
    auto name = type.substr(0, type.find(';'));
    return name == "application/zip" || name == "application/x-zip-compressed";
}

// `length`: remaining bytes of the body, as far as known.
Rejection check_room(std::uint64_t length, const Context& context)
{
    auto available = free_bytes(context.data);
    if (available >= context.limits.min_free_bytes && available - context.limits.min_free_bytes >= length)
        return std::nullopt;
    return upload_problem(507, "storage_full", "The server's disk has no space for this upload.");
}

Rejection check_size(const Request& request, const Context& context)
{
    auto length = request.content_length.value_or(0);
    if (length > context.limits.max_upload_bytes) {
        return upload_problem(413, "upload_too_large", "The upload is larger than this server accepts.");
    }
    return check_room(length, context);
}

using SinkResult = std::expected<std::unique_ptr<UploadSink>, api::Problem>;

SinkResult make_sink(const Request& request, Context& context)
{
    QueryReader reader(request);
    auto name = reader.text("name");
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    if (auto rejection = check_size(request, context)) return std::unexpected(*rejection);
    auto type = request.headers.find("Content-Type").value_or("");
    if (auto boundary = multipart_boundary(type)) {
        return std::make_unique<FormBody>(context.services, *boundary, context.limits.max_upload_files);
    }
    if (is_zip(type))
        return std::make_unique<WholeBody>(*context.services.blobs, name.value_or("upload.zip"));
    return problem(415, "unsupported_media_type",
                   "Send files as multipart/form-data, or one zip as application/zip.");
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
    auto created = context.services.ingest.ingest(std::move(files));
    if (!created) return problem(created.error());
    bool known = std::all_of(created->begin(), created->end(), [](const auto& one) { return one.existing; });
    auto response = json_response(known ? 200 : 201, api::upload_json(*created));
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

StartedCall<Rejection> start_storing(std::shared_ptr<UploadSink> sink, BodyChunks::Chunk chunk,
                                     Context& context)
{
    auto store = [sink = std::move(sink), chunk = std::move(chunk), &context,
                  is_added = false]() mutable -> Stored {
        if (!std::exchange(is_added, true)) {
            // A chunked body has no declared length, and other processes write to the disk too.
            if (auto full = check_room(chunk->size(), context)) return full;
            sink->add(*chunk);
        }
        Turn turn;
        return sink->store(turn);
    };
    return {StartedCall<Rejection>::in_turns, context.uploads_pool, std::move(store)};
}

} // namespace

asio::awaitable<HandlerResult> create_assets(Request& request, BodySource& body, Context& context)
{
    auto key = read_idempotency_key(request);
    if (!key) co_return std::unexpected(key.error());
    auto created = co_await run_on_pool(context.uploads_pool, [&] { return make_sink(request, context); });
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
        storing = start_storing(sink, chunk, context);
    }
    context.services.metrics.upload_bytes.Increment(static_cast<double>(chunks.received()));
    auto rejection = co_await run_on_pool(context.uploads_pool, [sink] { return sink->finish(); });
    if (rejection) co_return std::unexpected(*rejection);
    co_return co_await run_on_pool(context.scenes_pool, [sink, &context, key = std::move(*key)] {
        auto content = key.empty() ? std::string() : content_of(sink->files);
        return run_idempotent(key, content, context, [&] { return ingest(std::move(sink->files), context); });
    });
}

} // namespace vitrine::server
