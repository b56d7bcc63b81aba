// Blobs as objects: PREFIX/blobs/HASH, as the blob store has them.

#include <fmt/format.h>
#include <prometheus/registry.h>

#include "server/services/moves/blob_places.hpp"
#include "server/services/s3/s3_client.hpp"
#include "server/services/storage/hashed_file.hpp"
#include "server/util/files.hpp"
#include "server/util/sha256.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

class S3Place final : public BlobPlace {
public:
    S3Place(const S3Options& store, fs::path temporary)
        : temporary_(std::move(temporary)), client_(store, registry_)
    {
    }

    std::string name() const override
    {
        const auto& options = client_.options();
        return fmt::format("s3://{}/{} at {}", options.bucket, options.prefix, options.host);
    }

    BlobOutcome read(const std::string& hash, const BlobSink& sink) override
    {
        Sha256 sum;
        const bool found = client_.get(key_of(hash), [&](std::span<const std::byte> bytes) {
            sum.update(bytes);
            sink(bytes);
        });
        if (!found) return BlobOutcome::missing;
        return sum.finish() == hash ? BlobOutcome::copied : BlobOutcome::damaged;
    }

    // An object is there whole or not at all, and the store has compared it with its hash.
    BlobOutcome put_from(BlobPlace& source, const std::string& hash,
                         std::optional<std::uint64_t> size_bytes) override
    {
        if (size_bytes) return BlobOutcome::present;
        if (const auto file = source.file_of(hash); !file.empty()) {
            const auto outcome = source.read(hash, [](auto) {});
            if (outcome == BlobOutcome::copied) client_.put_file(key_of(hash), file, hash);
            return outcome;
        }
        make_folders(temporary_);
        HashedFile file(temporary_);
        const auto outcome = source.read(hash, [&](std::span<const std::byte> bytes) { file.write(bytes); });
        if (outcome != BlobOutcome::copied) return outcome;
        if (file.finish() != hash) return BlobOutcome::damaged;
        const auto path = temporary_ / hash;
        file.move_to(path);
        const auto remove = [&](const void*) { fs::remove(path); };
        const std::unique_ptr<const void, decltype(remove)> removed(this, remove);
        client_.put_file(key_of(hash), path, hash);
        return BlobOutcome::copied;
    }

    BlobSizes list() override
    {
        BlobSizes sizes;
        std::string continuation;
        do {
            const auto page = client_.list(std::string(blobs_folder), continuation);
            for (const auto& object : page.objects)
                if (auto hash = object.key.substr(object.key.rfind('/') + 1); is_sha256(hash))
                    sizes.emplace(std::move(hash), object.size_bytes);
            continuation = page.continuation;
        } while (!continuation.empty());
        return sizes;
    }

    void remove(const std::string& hash) override { client_.remove(key_of(hash)); }

private:
    static std::string key_of(const std::string& hash) { return std::string(blobs_folder) + hash; }

    const fs::path temporary_;
    prometheus::Registry registry_; // of the client's counters, which nobody reads
    S3Client client_;
};

} // namespace

std::unique_ptr<BlobPlace> make_s3_place(const S3Options& store, const fs::path& temporary)
{
    return std::make_unique<S3Place>(store, temporary);
}

} // namespace vitrine::server
