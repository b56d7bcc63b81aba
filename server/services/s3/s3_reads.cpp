// The bytes of objects.
#include <fmt/format.h>

#include "server/services/s3/s3_client.hpp"

namespace vitrine::server {
namespace {

// A bucket that does not exist is no missing object.
bool is_missing_object(const S3HttpReply& reply)
{
    return reply.status == 404 && parse_s3_error(reply.body).value_or(S3ErrorAnswer{}).code != "NoSuchBucket";
}

} // namespace

bool S3Client::get(const std::string& key, const std::function<void(std::span<const std::byte>)>& sink)
{
    std::uint64_t received = 0, at_attempt = 0;
    Call call{.method = "GET", .key = key};
    call.sink = [&](std::span<const std::byte> bytes) {
        received += bytes.size();
        sink(bytes);
    };
    const auto resume = [&](Call& again) {
        const bool progress = received > at_attempt;
        at_attempt = received;
        if (received > 0) again.headers = {{"range", fmt::format("bytes={}-", received)}};
        return progress;
    };
    const auto reply = perform(call, resume);
    if (is_missing_object(reply)) return false;
    if (reply.status == 416 && at_attempt > 0) return true; // the connection broke after the last byte
    if (reply.status == 200 && at_attempt > 0)
        throw StorageError(StorageError::Kind::failed, "the object store does not answer ranges");
    require(reply, call, 206);
    return true;
}

bool S3Client::get_range(const std::string& key, const S3Range& range,
                         const std::function<void(std::span<const std::byte>)>& sink)
{
    std::uint64_t received = 0, at_attempt = 0;
    Call call{.method = "GET", .key = key};
    call.sink = [&](std::span<const std::byte> bytes) {
        if (bytes.size() > range.length - received)
            throw StorageError(StorageError::Kind::failed, "the object store does not answer ranges");
        received += bytes.size();
        sink(bytes);
    };
    const auto ask = [&](Call& again) {
        const auto last = range.offset + range.length - 1;
        again.headers = {{"if-match", range.etag},
                         {"range", fmt::format("bytes={}-{}", range.offset + received, last)}};
    };
    const auto resume = [&](Call& again) {
        const bool progress = received > at_attempt;
        at_attempt = received;
        ask(again);
        // The connection broke after the last byte: any answer will do.
        if (received == range.length) {
            again.headers = {{"range", "bytes=0-0"}};
            again.sink = [](std::span<const std::byte>) {};
        }
        return progress;
    };
    ask(call);
    const auto reply = perform(call, resume);
    if (is_missing_object(reply)) return false;
    require(reply, call, 206);
    if (received != range.length)
        throw StorageError(StorageError::Kind::failed, "the object store answers a part of a range");
    return true;
}

} // namespace vitrine::server
