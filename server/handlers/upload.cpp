// Uploads: multipart or one zip, hashed and streamed to blobs. Memory holds one piece of the body.
#include <algorithm>
#include <functional>
#include <tuple>

#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
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

// Receives the pieces of a body. Called from the catalog pool, one call at a time.
class UploadSink {
public:
    virtual ~UploadSink() = default;
    virtual Rejection take(std::span<const std::byte> piece) = 0;
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
    Rejection take(std::span<const std::byte> piece) override
    {
        writer_->write(piece);
        return std::nullopt;
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
};

// Parts with a file name become blobs; plain form fields are skipped.
class FormBody final : public UploadSink {
public:
    FormBody(BlobStore& blobs, std::string_view boundary, std::size_t limit)
        : blobs_(blobs), parser_(boundary), limit_(limit)
    {
    }

    Rejection take(std::span<const std::byte> piece) override
    {
        began_ = true;
        parser_.feed({reinterpret_cast<const char*>(piece.data()), piece.size()});
        for (;;) {
            switch (parser_.next()) {
            case MultipartEvent::need_input: return std::nullopt;
            case MultipartEvent::part_begin:
                if (auto rejection = begin()) return rejection;
                break;
            case MultipartEvent::part_data:
                if (writer_) writer_->write(std::as_bytes(std::span(parser_.data())));
                break;
            case MultipartEvent::part_end: end(); break;
            case MultipartEvent::finished: finished_ = true; return std::nullopt;
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
    std::size_t limit_;
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
    auto& blobs = *context.services.blobs;
    if (auto boundary = multipart_boundary(type)) {
        return std::make_unique<FormBody>(blobs, *boundary, context.limits.max_upload_files);
    }
    if (is_zip(type)) return std::make_unique<WholeBody>(blobs, name.value_or("upload.zip"));
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

constexpr std::size_t max_key_bytes = 255;

StoredResponse stored(const Response& response)
{
    return {.status = response.status,
            .location = std::string(response.headers.find("Location").value_or("")),
            .body = std::get<std::string>(response.body)};
}

Response replay_response(StoredResponse stored)
{
    auto response = text_response(stored.status, "application/json", std::move(stored.body));
    response.headers.add("Cache-Control", "no-cache");
    if (!stored.location.empty()) response.headers.add("Location", std::move(stored.location));
    return response;
}

// Returns an empty string without the field; 400 when it is not 1 to 255 visible characters.
std::expected<std::string, api::Problem> read_idempotency_key(const Request& request)
{
    auto key = request.headers.find("Idempotency-Key");
    if (!key) return std::string();
    bool visible = std::ranges::all_of(*key, [](char c) { return c > 0x20 && c < 0x7f; });
    if (!key->empty() && key->size() <= max_key_bytes && visible) return std::string(*key);
    return problem(400, "bad_idempotency_key", "Idempotency-Key must be 1 to 255 visible ASCII characters.");
}

// Runs `work` once per Idempotency-Key and keeps its response (JSON and Location) for a day, so that a
// repeated POST whose first response was lost gets the same response; errors of `work` are not kept.
// `content` identifies the request: a different `content` with the same key is 422. Without a key it only
// runs `work`. Blocking.
HandlerResult run_idempotent(const std::string& key, const std::string& content, Context& context,
                             const std::function<HandlerResult()>& work)
{
    if (key.empty()) return work();
    auto& catalog = context.services.catalog;
    auto claim = catalog.claim_key(key, content);
    if (claim.reused_for_different_request)
        return problem(422, "idempotency_key_reused",
                       "This Idempotency-Key was used for a different request.");
    if (claim.response) return replay_response(std::move(*claim.response));
    auto response = work();
    if (response) return replay_response(catalog.store_response(key, content, stored(*response)));
    catalog.release_key(key, content);
    return response;
}

} // namespace

asio::awaitable<HandlerResult> create_assets(Request& request, BodySource& body, Context& context)
{
    auto key = read_idempotency_key(request);
    if (!key) co_return std::unexpected(key.error());
    auto created = co_await run_on_pool(context.catalog_pool, [&] { return make_sink(request, context); });
    if (!created) co_return std::unexpected(created.error());
    std::shared_ptr<UploadSink> sink = std::move(*created);
    std::uint64_t received = 0;
    for (;;) {
        auto piece = co_await body.next();
        if (piece.empty()) break;
        received += piece.size();
        if (received > context.limits.max_upload_bytes) {
            co_return problem(413, "upload_too_large", "The upload is larger than this server accepts.");
        }
        // A chunked body has no declared length, and other processes write to the disk too.
        auto rejection = co_await run_on_pool(context.catalog_pool, [sink, piece, &context] {
            auto full = check_room(piece.size(), context);
            return full ? full : sink->take(piece);
        });
        if (rejection) co_return std::unexpected(*rejection);
    }
    context.services.metrics.upload_bytes.Increment(static_cast<double>(received));
    auto rejection = co_await run_on_pool(context.catalog_pool, [sink] { return sink->finish(); });
    if (rejection) co_return std::unexpected(*rejection);
    co_return co_await run_on_pool(context.scenes_pool, [sink, &context, key = std::move(*key)] {
        auto content = key.empty() ? std::string() : content_of(sink->files);
        return run_idempotent(key, content, context, [&] { return ingest(std::move(sink->files), context); });
    });
}

} // namespace vitrine::server
