// Files of any size to objects, and the check of a store.
#include <algorithm>
#include <exception>
#include <thread>

#include <fmt/format.h>

#include "loaders/base/stop.hpp"
#include "server/services/s3/s3_client.hpp"
#include "server/util/ids.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

constexpr std::uint64_t max_parts = 10'000; // of S3
constexpr std::uint64_t mebibyte = 1ull << 20;
constexpr unsigned part_threads = 4;
constexpr std::chrono::seconds completion_stall{120}; // a store joins the parts before it answers

std::string hash_of(const S3FilePart& part)
{
    Sha256 hash;
    for (std::uint64_t at = 0; at < part.size_bytes;) {
        const auto count = std::min<std::uint64_t>(mebibyte, part.size_bytes - at);
        const auto bytes = part.file->read(part.offset + at, static_cast<std::size_t>(count), part.path);
        if (bytes.empty()) break;
        hash.update(bytes);
        at += bytes.size();
    }
    return hash.finish();
}

} // namespace

void for_each_parallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work)
{
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::exception_ptr first;
    const auto run = [&, stop = thread_stop_token()] {
        const StopScope scope(stop);
        for (auto i = next++; i < count; i = next++)
            try {
                work(i);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!first) first = std::current_exception();
                next = count;
            }
    };
    {
        std::vector<std::jthread> helpers;
        for (std::size_t i = 1; i < std::min<std::size_t>(threads, count); ++i)
            helpers.emplace_back(run);
        run();
    }
    if (first) std::rethrow_exception(first);
}

void S3Client::put_file(const std::string& key, const std::filesystem::path& path, const std::string& hash)
{
    const auto file = OpenFile::find(path);
    if (!file) throw StorageError(StorageError::Kind::failed, "there is no file " + path.native());
    const auto size = file->size_bytes();
    if (size > options_.part_bytes)
        put_parts(key, *file, path);
    else {
        Call call{.method = "PUT", .key = key, .payload_hash = hash};
        call.headers = {{"content-type", "application/octet-stream"}};
        call.part = S3FilePart{&*file, path, 0, size};
        require(perform(call), call);
    }
}

std::string S3Client::put_part(const std::string& key, const std::string& upload_id, unsigned number,
                               const S3FilePart& part)
{
    Call call{.method = "PUT", .key = key, .part = part, .payload_hash = hash_of(part)};
    call.query = {{"partNumber", std::to_string(number)}, {"uploadId", upload_id}};
    auto reply = require(perform(call), call);
    if (reply.etag.empty())
        throw StorageError(StorageError::Kind::failed, "the object store answers a part without an ETag");
    return std::move(reply.etag);
}

void S3Client::put_parts(const std::string& key, const OpenFile& file, const std::filesystem::path& path)
{
    const auto size = file.size_bytes();
    const auto min_part_bytes = (size + max_parts - 1) / max_parts;
    const auto part_bytes =
        std::max(options_.part_bytes, (min_part_bytes + mebibyte - 1) / mebibyte * mebibyte);
    Call create{.method = "POST", .key = key};
    create.query = {{"uploads", ""}};
    create.headers = {{"content-type", "application/octet-stream"}};
    const auto upload_id = parse_upload_id(require(perform(create), create).body);
    if (!upload_id)
        throw StorageError(StorageError::Kind::failed, "the object store gives no id of an upload in parts");
    const std::shared_ptr<const void> sending = mark_sending(*upload_id);
    try {
        std::vector<std::string> etags(static_cast<std::size_t>((size + part_bytes - 1) / part_bytes));
        for_each_parallel(etags.size(), part_threads, [&](std::size_t i) {
            const auto offset = i * part_bytes;
            etags[i] = put_part(key, *upload_id, static_cast<unsigned>(i + 1),
                                {&file, path, offset, std::min(part_bytes, size - offset)});
        });
        complete_upload(key, *upload_id, etags);
    } catch (...) {
        try {
            const StopScope unstopped{std::stop_token()};
            abort_upload(key, *upload_id);
        } catch (const StorageError&) { // the garbage collection of the store does it later
        }
        throw;
    }
}

void S3Client::complete_upload(const std::string& key, const std::string& upload_id,
                               const std::vector<std::string>& etags)
{
    Call call{.method = "POST", .key = key, .body = completion_xml(etags), .max_stall = completion_stall};
    call.query = {{"uploadId", upload_id}};
    bool repeated = false;
    const auto reply = perform(call, [&](Call&) {
        repeated = true;
        return false;
    });
    if (reply.status == 404 && repeated && find(key)) return; // an attempt before has completed it
    require(reply, call);
}

void S3Client::abort_upload(const std::string& key, const std::string& upload_id)
{
    Call call{.method = "DELETE", .key = key};
    call.query = {{"uploadId", upload_id}};
    const auto reply = perform(call);
    if (reply.status != 404) require(reply, call, 204);
}

std::shared_ptr<const void> S3Client::mark_sending(const std::string& upload_id)
{
    const std::lock_guard lock(mutex_);
    sending_.insert(upload_id);
    return {nullptr, [this, upload_id](const void*) {
                const std::lock_guard again(mutex_);
                sending_.erase(upload_id);
            }};
}

bool S3Client::is_sending(const std::string& upload_id) const
{
    const std::lock_guard lock(mutex_);
    return sending_.contains(upload_id);
}

std::vector<S3PendingUpload> S3Client::list_pending_uploads(const std::string& key_prefix)
{
    Call call{.method = "GET", .of_bucket = true};
    call.query = {{"uploads", ""}, {"prefix", options_.prefix + key_prefix}};
    auto uploads = parse_pending_uploads(require(perform(call), call).body);
    if (!uploads)
        throw StorageError(StorageError::Kind::failed, "the object store's list of uploads is malformed");
    for (auto& upload : *uploads)
        if (upload.key.starts_with(options_.prefix)) upload.key.erase(0, options_.prefix.size());
    return std::move(*uploads);
}

std::string check_s3_store(const S3Options& options)
{
    try {
        auto hurried = options;
        hurried.deadline = std::min(options.deadline, std::chrono::milliseconds(5'000));
        prometheus::Registry registry;
        S3Client client(hurried, registry);
        const auto key = "probe/" + new_id("probe");
        const std::string text = "written by vitrine doctor";
        client.put_text(key, text);
        std::string read;
        client.get(key, [&](std::span<const std::byte> bytes) {
            read.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        });
        client.remove(key);
        if (read != text) return "the object store returns other bytes than were written";
        client.list("probe/");
        return {};
    } catch (const std::exception& error) {
        return error.what();
    }
}

} // namespace vitrine::server
