#include "server/services/s3/s3_transport.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <new>

#include "loaders/base/parse_whole.hpp"
#include "loaders/base/stop.hpp"
#include "server/services/s3/s3_answers.hpp"
#include "server/tracing/trace_scope.hpp"
#include "server/util/curl_library.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_reply_bytes = 4u << 20;
constexpr std::size_t max_idle_handles = 32;
constexpr long connect_ms = 3'000;
constexpr long min_bytes_per_s = 1024;

// What the callbacks of libcurl share; an exception must not pass through its functions.
struct S3Exchange {
    const S3HttpRequest& request;
    S3HttpReply& reply;
    const std::atomic<bool>& interrupted;
    CURL* handle;
    std::uint64_t sent_bytes = 0;
    std::exception_ptr thrown{};
};

std::string_view trimmed(std::string_view text)
{
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (!text.empty() && blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && blank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::size_t take_header(char* data, std::size_t size, std::size_t count, void* self)
{
    auto& reply = static_cast<S3Exchange*>(self)->reply;
    const std::string_view line(data, size * count);
    const auto colon = line.find(':');
    if (colon == line.npos) return line.size();
    std::string name(line.substr(0, colon));
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    const auto value = trimmed(line.substr(colon + 1));
    if (name == "etag") reply.etag = value;
    if (name == "x-amz-request-id") reply.request_id = value.substr(0, 100);
    if (name == "content-length") reply.size_bytes = parse_whole<std::uint64_t>(value);
    if (name == "last-modified") reply.modified_s = parse_http_date(value);
    if (name == "date") reply.now_s = parse_http_date(value);
    if (name == "retry-after") reply.retry_after_s = parse_whole<unsigned>(value).value_or(0);
    return line.size();
}

std::size_t take_body(char* data, std::size_t size, std::size_t count, void* self)
{
    auto& exchange = *static_cast<S3Exchange*>(self);
    const std::size_t bytes = size * count;
    long status = 0;
    curl_library().easy_getinfo(exchange.handle, CURLINFO_RESPONSE_CODE, &status);
    if (!exchange.request.sink || (status != 200 && status != 206)) {
        if (exchange.reply.body.size() + bytes > max_reply_bytes) return 0;
        exchange.reply.body.append(data, bytes);
        return bytes;
    }
    try {
        exchange.request.sink(std::as_bytes(std::span(data, bytes)));
        return bytes;
    } catch (...) {
        exchange.thrown = std::current_exception();
        return 0;
    }
}

std::size_t give_body(char* data, std::size_t size, std::size_t count, void* self)
{
    auto& exchange = *static_cast<S3Exchange*>(self);
    try {
        std::size_t bytes = 0;
        if (const auto& part = exchange.request.part) {
            const auto left = std::min<std::uint64_t>(size * count, part->size_bytes - exchange.sent_bytes);
            const auto read = part->file->read(part->offset + exchange.sent_bytes,
                                               static_cast<std::size_t>(left), part->path);
            bytes = read.size();
            std::ranges::copy(read, reinterpret_cast<std::byte*>(data));
        } else {
            const auto& text = exchange.request.body;
            bytes = std::min<std::size_t>(size * count, text.size() - exchange.sent_bytes);
            std::memcpy(data, text.data() + exchange.sent_bytes, bytes);
        }
        exchange.sent_bytes += bytes;
        return bytes;
    } catch (...) {
        exchange.thrown = std::current_exception();
        return CURL_READFUNC_ABORT;
    }
}

// A connection that was closed while it was idle is replaced, and the body is sent again.
int rewind_body(void* self, curl_off_t offset, int origin)
{
    if (origin != SEEK_SET || offset < 0) return CURL_SEEKFUNC_FAIL;
    static_cast<S3Exchange*>(self)->sent_bytes = static_cast<std::uint64_t>(offset);
    return CURL_SEEKFUNC_OK;
}

int report_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t)
{
    return static_cast<S3Exchange*>(self)->interrupted || thread_stop_token().stop_requested() ? 1 : 0;
}

void set_body(CURL* handle, S3Exchange& exchange)
{
    const auto& lib = curl_library();
    const auto& request = exchange.request;
    const bool has_body = request.method == "PUT" || request.method == "POST";
    if (request.method == "HEAD") lib.easy_setopt(handle, CURLOPT_NOBODY, 1L);
    if (has_body) {
        const auto size = request.part ? request.part->size_bytes : request.body.size();
        lib.easy_setopt(handle, CURLOPT_UPLOAD, 1L);
        lib.easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(size));
        lib.easy_setopt(handle, CURLOPT_READFUNCTION, give_body);
        lib.easy_setopt(handle, CURLOPT_READDATA, &exchange);
        lib.easy_setopt(handle, CURLOPT_SEEKFUNCTION, rewind_body);
        lib.easy_setopt(handle, CURLOPT_SEEKDATA, &exchange);
    }
    if (request.method != "HEAD") lib.easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

void set_options(CURL* handle, S3Exchange& exchange, const std::filesystem::path& ca)
{
    const auto& lib = curl_library();
    const auto& request = exchange.request;
    lib.easy_setopt(handle, CURLOPT_URL, request.url.c_str());
    lib.easy_setopt(handle, CURLOPT_PATH_AS_IS, 1L);
    lib.easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    lib.easy_setopt(handle, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    lib.easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    lib.easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, connect_ms);
    lib.easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, min_bytes_per_s);
    lib.easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, static_cast<long>(request.max_stall.count()));
    lib.easy_setopt(handle, CURLOPT_BUFFERSIZE, 256L * 1024);
    lib.easy_setopt(handle, CURLOPT_UPLOAD_BUFFERSIZE, 256L * 1024);
    if (!ca.empty()) lib.easy_setopt(handle, CURLOPT_CAINFO, ca.c_str());
    lib.easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_header);
    lib.easy_setopt(handle, CURLOPT_HEADERDATA, &exchange);
    lib.easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
    lib.easy_setopt(handle, CURLOPT_WRITEDATA, &exchange);
    lib.easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    lib.easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, report_progress);
    lib.easy_setopt(handle, CURLOPT_XFERINFODATA, &exchange);
    set_body(handle, exchange);
}

} // namespace

S3Transport::S3Transport(std::filesystem::path ca) : ca_(std::move(ca))
{
    curl_library();
}

S3Transport::~S3Transport()
{
    for (auto* handle : idle_handles_)
        curl_library().easy_cleanup(handle);
}

S3HttpReply S3Transport::send(const S3HttpRequest& request)
{
    const auto& lib = curl_library();
    S3HttpReply reply;
    const auto give = [this](CURL* handle) { give_back(handle); };
    const std::unique_ptr<CURL, decltype(give)> handle(take_handle(), give);
    S3Exchange exchange{
        .request = request, .reply = reply, .interrupted = interrupted_, .handle = handle.get()};
    set_options(handle.get(), exchange, ca_);
    curl_slist* list = lib.slist_append(nullptr, "Expect:"); // otherwise libcurl waits a second for a 100
    for (const auto& header : request.headers)
        list = lib.slist_append(list, header.c_str());
    if (const auto traceparent = make_traceparent(); !traceparent.empty()) // not signed
        list = lib.slist_append(list, ("traceparent: " + traceparent).c_str());
    const std::unique_ptr<curl_slist, decltype(lib.slist_free_all)> headers(list, lib.slist_free_all);
    lib.easy_setopt(handle.get(), CURLOPT_HTTPHEADER, headers.get());
    const auto code = lib.easy_perform(handle.get());
    if (exchange.thrown) std::rethrow_exception(exchange.thrown);
    lib.easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &reply.status);
    if (code != CURLE_OK) reply.failure = lib.easy_strerror(code);
    return reply;
}

void* S3Transport::take_handle()
{
    {
        const std::lock_guard lock(mutex_);
        if (!idle_handles_.empty()) {
            auto* const handle = idle_handles_.back();
            idle_handles_.pop_back();
            return handle;
        }
    }
    auto* const handle = curl_library().easy_init();
    if (handle == nullptr) throw std::bad_alloc();
    return handle;
}

void S3Transport::give_back(void* handle)
{
    curl_library().easy_reset(handle); // keeps the connection
    {
        const std::lock_guard lock(mutex_);
        if (idle_handles_.size() < max_idle_handles) {
            idle_handles_.push_back(handle);
            return;
        }
    }
    curl_library().easy_cleanup(handle);
}

} // namespace vitrine::server
