#include "server/services/webhooks/webhook_transport.hpp"

#include <algorithm>
#include <memory>
#include <new>

#include <unistd.h>

#include "server/util/curl_library.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_response_bytes = 64u << 10; // header and body

// What the callbacks of libcurl share.
struct WebhookExchange {
    const bool allow_private;
    const std::stop_token& stop;
    std::size_t received_bytes = 0;
    bool rejected_address = false;
};

using CurlHandle = std::unique_ptr<CURL, decltype(CurlLibrary::easy_cleanup)>;
using CurlList = std::unique_ptr<curl_slist, decltype(CurlLibrary::slist_free_all)>;

curl_socket_t open_checked(void* self, curlsocktype purpose, curl_sockaddr* address)
{
    auto& exchange = *static_cast<WebhookExchange*>(self);
    if (purpose != CURLSOCKTYPE_IPCXN || (!exchange.allow_private && !is_public_address(address->addr))) {
        exchange.rejected_address = true;
        return CURL_SOCKET_BAD;
    }
    return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

std::size_t count_received(char*, std::size_t size, std::size_t count, void* self)
{
    auto& received = static_cast<WebhookExchange*>(self)->received_bytes;
    received += size * count;
    return received > max_response_bytes ? 0 : size * count;
}

int report_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t)
{
    return static_cast<WebhookExchange*>(self)->stop.stop_requested() ? 1 : 0;
}

void set_target(CURL* handle, const WebhookOptions& options, WebhookExchange& exchange)
{
    const auto& lib = curl_library();
    lib.easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    lib.easy_setopt(handle, CURLOPT_PROXY, "");
    lib.easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    lib.easy_setopt(handle, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    lib.easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_checked);
    lib.easy_setopt(handle, CURLOPT_OPENSOCKETDATA, &exchange);
    lib.easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    lib.easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L); // a stop does not wait for the resolver
    lib.easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect_time.count()));
    lib.easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(options.answer_time.count()));
}

void set_message(CURL* handle, const WebhookRequest& request, curl_slist* headers, WebhookExchange& exchange)
{
    const auto& lib = curl_library();
    lib.easy_setopt(handle, CURLOPT_URL, request.url.c_str());
    lib.easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    lib.easy_setopt(handle, CURLOPT_POST, 1L);
    lib.easy_setopt(handle, CURLOPT_POSTFIELDS, request.body.data());
    lib.easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    lib.easy_setopt(handle, CURLOPT_HEADERFUNCTION, count_received);
    lib.easy_setopt(handle, CURLOPT_HEADERDATA, &exchange);
    lib.easy_setopt(handle, CURLOPT_WRITEFUNCTION, count_received);
    lib.easy_setopt(handle, CURLOPT_WRITEDATA, &exchange);
    lib.easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    lib.easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, report_progress);
    lib.easy_setopt(handle, CURLOPT_XFERINFODATA, &exchange);
}

CurlList header_list(const std::vector<std::string>& headers)
{
    const auto& lib = curl_library();
    curl_slist* list = lib.slist_append(nullptr, "Expect:"); // otherwise libcurl waits a second for a 100
    for (const auto& header : headers)
        list = lib.slist_append(list, header.c_str());
    return {list, lib.slist_free_all};
}

// The status is that of a response whose end is missing too: it says what the receiver has done.
constexpr curl_off_t max_retry_after = 7 * 24 * 3600; // seconds

WebhookReply read_reply(CURL* handle, CURLcode code, const WebhookExchange& exchange)
{
    const auto& lib = curl_library();
    WebhookReply reply;
    long status = 0;
    lib.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 200) {
        curl_off_t retry_after = 0;
        lib.easy_getinfo(handle, CURLINFO_RETRY_AFTER, &retry_after);
        reply.status = static_cast<int>(status);
        reply.retry_after = std::chrono::seconds(std::clamp<curl_off_t>(retry_after, 0, max_retry_after));
        return reply;
    }
    reply.interrupted = code == CURLE_ABORTED_BY_CALLBACK;
    reply.problem_detail = lib.easy_strerror(code);
    if (exchange.rejected_address) {
        reply.problem_code = "address_not_allowed";
        reply.problem_detail = "The name of the host has an address that is not public.";
    } else {
        reply.problem_code = code == CURLE_OPERATION_TIMEDOUT ? "timeout" : "no_connection";
    }
    return reply;
}

} // namespace

WebhookReply send_webhook(const WebhookRequest& request, const WebhookOptions& options,
                          const std::stop_token& stop)
{
    const auto& lib = curl_library();
    const CurlHandle handle(lib.easy_init(), lib.easy_cleanup);
    if (!handle) throw std::bad_alloc();
    WebhookExchange exchange{.allow_private = options.allow_private, .stop = stop};
    const auto headers = header_list(request.headers);
    set_target(handle.get(), options, exchange);
    set_message(handle.get(), request, headers.get(), exchange);
    return read_reply(handle.get(), lib.easy_perform(handle.get()), exchange);
}

} // namespace vitrine::server
