#include "server/services/s3/s3_client.hpp"

#include <algorithm>
#include <random>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "loaders/base/stop.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr unsigned max_attempts = 12;
constexpr milliseconds initial_delay{100}, max_delay{4'000};
constexpr milliseconds gone_time{1'000};
constexpr milliseconds keys_interval{2'000};
const std::string empty_hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

prometheus::Counter& request_counter(prometheus::Registry& registry, const char* outcome)
{
    return prometheus::BuildCounter()
        .Name("vitrine_blob_store_requests_total")
        .Help("Requests to the object store, without repetitions, by outcome")
        .Register(registry)
        .Add({{"outcome", outcome}});
}

std::int64_t steady_ms()
{
    return std::chrono::duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

// A repetition may succeed.
bool is_transient(const S3HttpReply& reply)
{
    if (!reply.failure.empty()) return true;
    switch (reply.status) {
    case 408:
    case 429:
    case 500:
    case 502:
    case 503:
    case 504: return true;
    case 400: return parse_s3_error(reply.body).value_or(S3ErrorAnswer{}).code == "RequestTimeout";
    default: return false;
    }
}

// Full jitter: many servers do not repeat at the same time.
milliseconds jittered(milliseconds backoff)
{
    static thread_local std::minstd_rand random{std::random_device{}()};
    return milliseconds(
        std::uniform_int_distribution<std::int64_t>(backoff.count() / 10, backoff.count())(random));
}

std::string reason_of(const S3HttpReply& reply)
{
    if (!reply.failure.empty()) return reply.failure;
    std::string reason = fmt::format("status {}", reply.status);
    if (const auto error = parse_s3_error(reply.body))
        reason += fmt::format(", {}: {}", error->code, error->message);
    if (!reply.request_id.empty()) reason += fmt::format(" (request {})", reply.request_id);
    return reason;
}

} // namespace

S3Client::S3Client(S3Options options, prometheus::Registry& registry)
    : options_(std::move(options)), transport_(options_.ca), requests_(request_counter(registry, "answered")),
      retries_(request_counter(registry, "repeated")), failures_(request_counter(registry, "failed")),
      keys_(options_.keys)
{
}

// Temporary keys are replaced while the server runs.
S3Keys S3Client::current_keys() const
{
    const std::lock_guard lock(mutex_);
    const auto now = steady_clock::now();
    if (options_.credentials.empty() || now < next_look_) return keys_;
    next_look_ = now + keys_interval;
    std::error_code error;
    const auto written = std::filesystem::last_write_time(options_.credentials, error);
    if (error || written == keys_written_) return keys_;
    keys_written_ = written;
    if (auto keys = read_s3_keys(options_.credentials))
        keys_ = std::move(*keys);
    else
        spdlog::warn("msg=\"the keys of the object store were not read again\" error={:?}", keys.error());
    return keys_;
}

std::string S3Client::url_host() const
{
    return options_.path_style ? options_.host : options_.bucket + '.' + options_.host;
}

std::string S3Client::url_path(const Call& call) const
{
    std::string path = options_.path_style ? "/" + options_.bucket : std::string();
    if (!call.of_bucket) path += '/' + options_.prefix + call.key;
    return encode_uri(path.empty() ? "/" : path, true);
}

S3HttpRequest S3Client::sign(const Call& call) const
{
    const auto keys = current_keys();
    const S3Scope scope{options_.region,
                        std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now())};
    S3SignedRequest request{.method = call.method, .path = url_path(call), .query = call.query};
    request.payload_hash = call.payload_hash;
    if (request.payload_hash.empty())
        request.payload_hash = call.body.empty() ? empty_hash : sha256_hex(call.body);
    request.headers = call.headers;
    request.headers.emplace_back("host", url_host());
    request.headers.emplace_back("x-amz-content-sha256", request.payload_hash);
    request.headers.emplace_back("x-amz-date", to_amz_date(scope.time));
    if (!keys.session_token.empty()) request.headers.emplace_back("x-amz-security-token", keys.session_token);
    S3HttpRequest http{.method = call.method, .body = call.body, .part = call.part, .sink = call.sink};
    http.max_stall = std::max(call.max_stall, options_.max_stall);
    http.url = options_.scheme + "://" + url_host() + request.path;
    if (!call.query.empty()) http.url += '?' + encode_query(call.query);
    for (const auto& [name, value] : request.headers)
        http.headers.push_back(fmt::format("{}: {}", name, value));
    http.headers.push_back("Authorization: " + sign_header(request, keys, scope));
    return http;
}

void S3Client::fail_if_gone() const
{
    if (transport_.is_interrupted())
        throw StorageError(StorageError::Kind::unavailable, "the server is stopping");
    if (steady_ms() < gone_until_ms_)
        throw StorageError(StorageError::Kind::unavailable, "the object store does not answer");
}

bool S3Client::wait_before_retry(unsigned attempt, const S3HttpReply& reply, steady_clock::time_point until)
{
    const auto backoff = std::min(max_delay, initial_delay * (1 << std::min(attempt, 6u)));
    const auto delay = std::max(jittered(backoff), milliseconds(1000 * std::min(reply.retry_after_s, 60u)));
    if (attempt + 1 >= max_attempts || steady_clock::now() + delay > until) return false;
    std::unique_lock lock(mutex_);
    return !interrupted_.wait_for(lock, thread_stop_token(), delay,
                                  [this] { return transport_.is_interrupted(); });
}

S3HttpReply S3Client::perform(Call call, const std::function<bool(Call&)>& prepare)
{
    fail_if_gone();
    check_stop();
    auto until = steady_clock::now() + options_.deadline;
    for (unsigned attempt = 0;; ++attempt) {
        auto reply = transport_.send(sign(call));
        check_stop();
        if (call.method == "POST" && reply.status == 200) reply.status = status_of_body(reply.body);
        if (!is_transient(reply)) {
            gone_until_ms_ = 0;
            requests_.Increment();
            return reply;
        }
        if (prepare && prepare(call)) until = steady_clock::now() + options_.deadline;
        if (!wait_before_retry(attempt, reply, until)) {
            failures_.Increment();
            if (!transport_.is_interrupted()) gone_until_ms_ = steady_ms() + gone_time.count();
            throw StorageError(StorageError::Kind::unavailable,
                               fmt::format("the object store at {} does not answer: {} {}: {}", options_.host,
                                           call.method, call.key, reason_of(reply)));
        }
        retries_.Increment();
    }
}

S3HttpReply S3Client::require(S3HttpReply reply, const Call& call, long wanted) const
{
    if (reply.status == wanted || reply.status == 200) return reply;
    const auto kind = reply.status >= 300 ? StorageError::Kind::unavailable : StorageError::Kind::failed;
    const char* const where = call.of_bucket ? "its list" : call.key.c_str();
    throw StorageError(kind, fmt::format("the object store at {} rejects {} {}: {}", options_.host,
                                         call.method, where, reason_of(reply)));
}

void S3Client::put_text(const std::string& key, const std::string& text)
{
    const Call call{.method = "PUT", .key = key, .body = text};
    require(perform(call), call);
}

std::optional<S3ObjectInfo> S3Client::find(const std::string& key)
{
    const Call call{.method = "HEAD", .key = key};
    const auto reply = perform(call);
    if (reply.status == 404) return std::nullopt;
    require(reply, call);
    if (!reply.size_bytes || !reply.modified_s || !reply.now_s)
        throw StorageError(StorageError::Kind::failed,
                           "the object store answers without Content-Length, Last-Modified or Date");
    return S3ObjectInfo{*reply.size_bytes,
                        std::chrono::seconds(std::max<std::int64_t>(0, *reply.now_s - *reply.modified_s)),
                        reply.etag};
}

S3Listing S3Client::list(const std::string& key_prefix, const std::string& continuation)
{
    Call call{.method = "GET", .of_bucket = true};
    call.query = {{"list-type", "2"},
                  {"prefix", options_.prefix + key_prefix},
                  {"max-keys", std::to_string(options_.page_objects)}};
    if (!continuation.empty()) call.query.emplace_back("continuation-token", continuation);
    const auto reply = require(perform(call), call);
    auto listing = parse_listing(reply.body);
    if (!listing || !reply.now_s)
        throw StorageError(StorageError::Kind::failed, "the object store's list of objects is malformed");
    listing->now_s = *reply.now_s;
    for (auto& object : listing->objects)
        if (object.key.starts_with(options_.prefix)) object.key.erase(0, options_.prefix.size());
    return std::move(*listing);
}

void S3Client::remove(const std::string& key)
{
    const Call call{.method = "DELETE", .key = key};
    const auto reply = perform(call);
    if (reply.status != 404) require(reply, call, 204);
}

std::string S3Client::presign(const std::string& key, unsigned seconds, const S3Fields& response) const
{
    const S3Scope scope{options_.region,
                        std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now())};
    const Call call{.method = "GET", .key = key};
    const auto path = url_path(call);
    const auto query = sign_query({.method = "GET",
                                   .path = path,
                                   .query = response,
                                   .headers = {{"host", url_host()}},
                                   .payload_hash = "UNSIGNED-PAYLOAD"},
                                  current_keys(), scope, seconds);
    return options_.scheme + "://" + url_host() + path + '?' + query;
}

void S3Client::interrupt()
{
    const std::lock_guard lock(mutex_);
    transport_.interrupt();
    interrupted_.notify_all();
}

} // namespace vitrine::server
