#include "server/http_client/http_client.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <new>

#include "loaders/base/ascii.hpp"
#include "server/tracing/trace_scope.hpp"
#include "server/util/curl_library.hpp"

namespace vitrine::server {
namespace {

struct HttpReceiver {
    HttpAnswer answer{};
    std::size_t max_bytes = 0;
    bool is_too_long = false;
};

std::size_t receive_body(char* data, std::size_t size, std::size_t count, void* self)
{
    auto& receiver = *static_cast<HttpReceiver*>(self);
    const auto bytes = size * count;
    receiver.is_too_long = bytes > receiver.max_bytes - receiver.answer.body.size();
    if (receiver.is_too_long) return 0;
    receiver.answer.body.append(data, bytes);
    return bytes;
}

std::size_t receive_header(char* data, std::size_t size, std::size_t count, void* self)
{
    constexpr std::string_view name = "cache-control:";
    const std::string_view line(data, size * count);
    auto& field = static_cast<HttpReceiver*>(self)->answer.cache_control;
    if (ascii::equal_ignoring_case(line.substr(0, name.size()), name)) field = line.substr(name.size());
    return size * count;
}

// Not 0: libcurl ends the call.
int check_call_stop(void* stop, curl_off_t, curl_off_t, curl_off_t, curl_off_t)
{
    return static_cast<const std::stop_token*>(stop)->stop_requested() ? 1 : 0;
}

using HttpHandle = std::unique_ptr<CURL, decltype(CurlLibrary::easy_cleanup)>;
using HttpFieldList = std::unique_ptr<curl_slist, decltype(CurlLibrary::slist_free_all)>;

void set_call(CURL* handle, const HttpCall& call, curl_slist* fields, HttpReceiver& receiver)
{
    const auto& lib = curl_library();
    lib.easy_setopt(handle, CURLOPT_URL, call.url.c_str());
    lib.easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    lib.easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    lib.easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    lib.easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(call.connect_time.count()));
    lib.easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(call.total_time.count()));
    lib.easy_setopt(handle, CURLOPT_HTTPHEADER, fields);
    lib.easy_setopt(handle, CURLOPT_WRITEFUNCTION, receive_body);
    lib.easy_setopt(handle, CURLOPT_WRITEDATA, &receiver);
    lib.easy_setopt(handle, CURLOPT_HEADERFUNCTION, receive_header);
    lib.easy_setopt(handle, CURLOPT_HEADERDATA, &receiver);
    if (call.url.starts_with("http:")) lib.easy_setopt(handle, CURLOPT_PROXY, ""); // of this machine
    if (!call.ca_file.empty()) lib.easy_setopt(handle, CURLOPT_CAINFO, call.ca_file.c_str());
    if (!call.unix_socket.empty())
        lib.easy_setopt(handle, CURLOPT_UNIX_SOCKET_PATH, call.unix_socket.c_str());
    if (call.body) {
        lib.easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(call.body->size()));
        lib.easy_setopt(handle, CURLOPT_POSTFIELDS, call.body->data());
    }
    if (call.stop.stop_possible()) {
        lib.easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
        lib.easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, check_call_stop);
        lib.easy_setopt(handle, CURLOPT_XFERINFODATA, &call.stop);
    }
    if (!call.method.empty()) lib.easy_setopt(handle, CURLOPT_CUSTOMREQUEST, call.method.c_str());
}

bool is_escaped(char c)
{
    const auto u = static_cast<unsigned char>(c);
    const bool is_plain = (u >= '0' && u <= '9') || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') ||
                          c == '-' || c == '.' || c == '_' || c == '~';
    return !is_plain;
}

void append_escaped(std::string& text, std::string_view value)
{
    constexpr const char* digits = "0123456789ABCDEF";
    for (const char c : value) {
        if (!is_escaped(c)) {
            text += c;
            continue;
        }
        const auto u = static_cast<unsigned char>(c);
        text += '%';
        text += digits[u >> 4];
        text += digits[u & 15];
    }
}

} // namespace

HttpAnswer send_call(const HttpCall& call)
{
    const auto& lib = curl_library();
    const HttpHandle handle(lib.easy_init(), lib.easy_cleanup);
    if (!handle) throw std::bad_alloc();
    curl_slist* list = lib.slist_append(nullptr, "Expect:"); // otherwise libcurl waits a second for a 100
    for (const auto& header : call.headers)
        list = lib.slist_append(list, header.c_str());
    if (const auto traceparent = make_traceparent(); !traceparent.empty())
        list = lib.slist_append(list, ("traceparent: " + traceparent).c_str());
    const HttpFieldList fields(list, lib.slist_free_all);
    HttpReceiver receiver{.max_bytes = call.max_bytes};
    set_call(handle.get(), call, fields.get(), receiver);
    const auto code = lib.easy_perform(handle.get());
    if (code != CURLE_OK) {
        receiver.answer.failure = receiver.is_too_long ? "the response is too long" : lib.easy_strerror(code);
        return std::move(receiver.answer);
    }
    long status = 0;
    lib.easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
    receiver.answer.status = static_cast<int>(status);
    return std::move(receiver.answer);
}

bool is_secure_url(std::string_view url)
{
    const bool is_text = std::ranges::all_of(
        url, [](char c) { return c > ' ' && c < '\x7f' && c != '@' && c != '\\' && c != '"'; });
    if (!is_text) return false;
    constexpr std::string_view secure = "https://";
    if (url.starts_with(secure)) return url.size() > secure.size() && url[secure.size()] != '/';
    constexpr std::array<std::string_view, 3> loopback{"http://localhost", "http://127.0.0.1",
                                                       "http://[::1]"};
    return std::ranges::any_of(loopback, [url](std::string_view start) {
        const auto rest = url.starts_with(start) ? url.substr(start.size()) : "x";
        return rest.empty() || rest.front() == ':' || rest.front() == '/' || rest.front() == '?';
    });
}

std::string encode_form(std::initializer_list<std::pair<std::string_view, std::string_view>> members)
{
    std::string form;
    for (const auto& [name, value] : members) {
        if (!form.empty()) form += '&';
        append_escaped(form, name);
        form += '=';
        append_escaped(form, value);
    }
    return form;
}

} // namespace vitrine::server
