#include "server/services/uploads/upload_store.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <spdlog/spdlog.h>

#include "loaders/base/stop.hpp"
#include "server/util/files.hpp"
#include "server/util/ids.hpp"

namespace vitrine::server {
namespace {

constexpr std::chrono::seconds sweep_interval{60};
constexpr std::size_t copy_bytes = 1 << 20;

Result<void> copy_part(BlobStore& blobs, const UploadedPart& part, BlobWriter& to)
{
    const auto pinned = blobs.pin(part.blob);
    if (!pinned) return std::unexpected(pinned.error());
    const auto local = blobs.find_local(part.blob);
    if (!local) return std::unexpected(local.error());
    const auto file = open_blob(*local);
    if (!file) return missing_blob(part.blob);
    for (std::uint64_t at = 0; at < part.length;) {
        check_stop();
        const auto bytes = file->read(at, copy_bytes, local->path);
        if (bytes.empty()) return missing_blob(part.blob);
        to.write(bytes);
        at += bytes.size();
    }
    return {};
}

} // namespace

UploadStore::UploadStore(DatabaseConnections& database, BlobStore& blobs, const UploadLimits& limits)
    : table_(database, limits), blobs_(blobs)
{
}

void UploadStore::start()
{
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

void UploadStore::stop()
{
    thread_ = {};
}

Result<OpenUpload> UploadStore::create(OpenUpload upload)
{
    upload.id = new_id("upload");
    return table_.create(upload);
}

Result<OpenUpload> UploadStore::join(OpenUpload upload)
{
    upload.id = new_id("upload");
    return table_.join(upload);
}

// The pin holds the blob until the row refers to it.
Result<OpenUpload> UploadStore::append(const std::string& id, std::uint64_t offset, BlobWriter& part)
{
    const auto blob = part.commit();
    blobs_.make_durable(std::array{blob.hash});
    return table_.append(id, {offset, blob.size_bytes, blob.hash});
}

Result<BlobRef> UploadStore::assemble(const std::vector<UploadedPart>& parts)
{
    const auto whole = blobs_.create();
    for (const auto& part : parts)
        if (auto copied = copy_part(blobs_, part, *whole); !copied) return std::unexpected(copied.error());
    return whole->commit();
}

Result<FileRecord> UploadStore::read_file(const OpenUpload& upload)
{
    if (!upload.is_finished())
        return std::unexpected(
            ServiceError{Errc::conflict, "upload_unfinished", upload.id, "the upload is not finished"});
    const auto parts = table_.parts(upload.id);
    auto blob = parts.size() == 1 ? blobs_.pin(parts.front().blob) : assemble(parts);
    if (!blob) return std::unexpected(blob.error());
    return FileRecord{upload.name, std::move(blob->hash), blob->size_bytes, std::move(blob->pin)};
}

bool UploadStore::remove(const OpenUpload& upload)
{
    const auto blobs = table_.remove(upload.id);
    if (!blobs) return false;
    blobs_.release(*blobs);
    for (const auto& partial : upload.partials)
        if (const auto more = table_.remove(partial)) blobs_.release(*more);
    return true;
}

void UploadStore::remove_expired()
{
    for (auto blobs = table_.remove_expired(); !blobs.empty(); blobs = table_.remove_expired())
        blobs_.release(blobs);
}

void UploadStore::work(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        try {
            remove_expired();
        } catch (const std::exception& error) {
            spdlog::warn("msg=\"expired uploads not removed\" error={:?}", std::string_view(error.what()));
        }
        std::unique_lock lock(mutex_);
        stopped_.wait_for(lock, stop, sweep_interval, [] { return false; });
    }
}

} // namespace vitrine::server
