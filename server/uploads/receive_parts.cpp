#include "server/uploads/receive_parts.hpp"

#include <exception>
#include <utility>
#include <vector>

#include "server/net/async.hpp"
#include "server/routing/problems.hpp"
#include "server/util/files.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t received_chunk_bytes = 256 << 10; // written at a time
constexpr std::uint64_t part_bytes = 64ull << 20;       // most that a killed server loses of one request

// Called from the uploads pool, one call at a time.
class PartReceiver {
public:
    using Problem = std::optional<api::Problem>;

    PartReceiver(OpenUpload upload, DeclaredChecksum checksum, Context& context)
        : context_(context), upload_(std::move(upload)), checksum_(std::move(checksum))
    {
        for (const auto algorithm : {Digest::Algorithm::sha1, Digest::Algorithm::sha256})
            if (checksum_.follows || (checksum_.known && checksum_.known->algorithm == algorithm))
                digests_.emplace_back(algorithm, Digest(algorithm));
    }

    Problem store(std::span<const std::byte> bytes)
    {
        if (auto full = check_room(bytes.size(), context_)) return full;
        if (!part_) part_ = context_.services.uploads.write_part();
        if (bytes.size() > max_bytes() - upload_.received - part_->size_bytes())
            return api::Problem{.status = 413,
                                .code = "upload_too_large",
                                .detail = "The upload has more bytes than its Upload-Length, or than this "
                                          "server accepts."};
        if (upload_.is_deferred)
            if (auto full = reserve(part_->size_bytes() + bytes.size())) return full;
        part_->write(bytes);
        for (auto& [algorithm, digest] : digests_)
            digest.update(bytes);
        context_.services.metrics.upload_bytes.Increment(static_cast<double>(bytes.size()));
        return part_->size_bytes() >= part_bytes && digests_.empty() ? append() : std::nullopt;
    }

    // `trailer`: Upload-Checksum there.
    Problem finish(bool is_whole, std::string_view trailer)
    {
        if (!digests_.empty() && !is_whole) return std::nullopt;
        if (checksum_.follows) {
            auto parsed = parse_upload_checksum(trailer);
            if (!parsed) return parsed.error();
            checksum_.known = std::move(*parsed);
        }
        for (auto& [algorithm, digest] : digests_)
            if (algorithm == checksum_.known->algorithm && digest.finish() != checksum_.known->digest)
                return api::Problem{.status = 460,
                                    .code = "checksum_mismatch",
                                    .detail = "The bytes have another checksum; nothing was stored."};
        return part_ ? append() : std::nullopt;
    }

    const OpenUpload& upload() const { return upload_; }

private:
    std::uint64_t max_bytes() const
    {
        return upload_.is_deferred ? context_.limits.max_upload_bytes : upload_.length;
    }

    // Room for the part that arrives: those before it are open already.
    Problem reserve(std::uint64_t bytes)
    {
        if (!room_) {
            auto made =
                context_.services.quota.reserve(upload_.owner.empty() ? "" : "user:" + upload_.owner, 0);
            if (!made) return to_problem(made.error());
            room_.emplace(std::move(*made));
        }
        if (auto room = room_->grow_to(bytes); !room) return to_problem(room.error());
        return std::nullopt;
    }

    Problem append()
    {
        const auto part = std::exchange(part_, nullptr);
        auto appended = context_.services.uploads.append(upload_.id, upload_.received, *part);
        if (!appended) return to_problem(appended.error());
        upload_ = std::move(*appended);
        return std::nullopt;
    }

    Context& context_;
    OpenUpload upload_;
    DeclaredChecksum checksum_;
    std::vector<std::pair<Digest::Algorithm, Digest>> digests_; // of the algorithms that may be asked for
    std::optional<StorageQuota::Reservation> room_;             // of a deferred length
    std::unique_ptr<BlobWriter> part_;                          // not appended yet
};

struct ReceivedChunk {
    std::vector<std::byte> bytes;
    bool is_last = false;
    std::exception_ptr cut; // the body ended early, after `bytes`
};

// What has arrived, at least one piece.
asio::awaitable<ReceivedChunk> next_chunk(BodySource& body)
{
    ReceivedChunk chunk;
    try {
        do {
            const auto piece = co_await body.next();
            chunk.bytes.insert(chunk.bytes.end(), piece.begin(), piece.end());
            chunk.is_last = piece.empty();
        } while (!chunk.is_last && chunk.bytes.size() < received_chunk_bytes && body.has_arrived());
    } catch (...) {
        chunk.cut = std::current_exception();
    }
    co_return chunk;
}

} // namespace

std::optional<api::Problem> check_room(std::uint64_t bytes, const Context& context)
{
    const auto available = std::min(free_bytes(context.data), free_bytes(context.blob_folder));
    if (available >= context.limits.min_free_bytes && available - context.limits.min_free_bytes >= bytes)
        return std::nullopt;
    return api::Problem{
        .status = 507, .code = "storage_full", .detail = "The server's disk has no space for this upload."};
}

asio::awaitable<ReceivedParts> receive_parts(OpenUpload upload, DeclaredChecksum checksum, BodySource& body,
                                             Context& context)
{
    PartReceiver receiver(std::move(upload), std::move(checksum), context);
    auto& pool = context.uploads_pool;
    ReceivedChunk chunk;
    do {
        chunk = co_await next_chunk(body);
        if (chunk.bytes.empty()) continue;
        auto rejection = co_await run_on_pool(pool, [&] { return receiver.store(chunk.bytes); });
        if (rejection) co_return std::unexpected(std::move(*rejection));
    } while (!chunk.is_last && !chunk.cut);
    auto rejection = co_await run_on_pool(pool, [&] {
        return receiver.finish(!chunk.cut, chunk.cut ? std::string_view() : body.trailer("Upload-Checksum"));
    });
    if (chunk.cut) std::rethrow_exception(chunk.cut);
    if (rejection) co_return std::unexpected(std::move(*rejection));
    co_return receiver.upload();
}

} // namespace vitrine::server
