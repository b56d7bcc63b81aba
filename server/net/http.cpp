#include "server/net/http.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <ctime>
#include <random>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "api/reason_phrase.hpp"
#include "loaders/base/ascii.hpp"

namespace vitrine::server {
namespace {

constexpr std::array<std::pair<Method, std::string_view>, 7> method_names{{
    {Method::get, "GET"},
    {Method::head, "HEAD"},
    {Method::post, "POST"},
    {Method::put, "PUT"},
    {Method::patch, "PATCH"},
    {Method::delete_, "DELETE"},
    {Method::options, "OPTIONS"},
}};

bool may_be_sent(std::string_view value)
{
    return std::none_of(value.begin(), value.end(), [](char c) {
        auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\t') || byte == 0x7f;
    });
}

// ASSET:CLIP, unlike :NAME, a clip of the asset itself.
bool may_be_of_other(std::string_view clip)
{
    return clip.contains(':') && !clip.starts_with(':');
}

// Of the text of a layer, the parts that name clips: the first one, and after !add=.
bool may_have_other_clip(std::string_view layer)
{
    constexpr std::string_view marks = "@*~!";
    const auto part = [&](std::size_t begin) {
        return layer.substr(begin, layer.find_first_of(marks, begin) - begin);
    };
    if (may_be_of_other(part(0))) return true;
    for (auto at = layer.find('!'); at != layer.npos; at = layer.find('!', at + 1)) {
        const auto mode = part(at + 1);
        const auto equals = mode.find('=');
        if (equals != mode.npos && may_be_of_other(mode.substr(equals + 1))) return true;
    }
    return false;
}

} // namespace

std::string_view to_string(Method method)
{
    for (auto [value, name] : method_names) {
        if (value == method) return name;
    }
    return "?";
}

Method parse_method(std::string_view name)
{
    for (auto [value, known] : method_names) {
        if (known == name) return value;
    }
    return Method::other;
}

std::optional<std::string_view> Headers::find(std::string_view name) const
{
    for (const auto& [key, value] : *this) {
        if (key.size() == name.size() && ascii::equal_ignoring_case(key, name)) return value;
    }
    return std::nullopt;
}

std::size_t Headers::count(std::string_view name) const
{
    auto same = [&](const auto& field) { return ascii::equal_ignoring_case(field.first, name); };
    return static_cast<std::size_t>(std::count_if(begin(), end(), same));
}

void Headers::add(std::string name, std::string value)
{
    fields_.resize(size_);
    fields_.emplace_back(std::move(name), std::move(value));
    ++size_;
}

void Headers::add_copy(std::string_view name, std::string_view value)
{
    if (size_ == fields_.size()) fields_.emplace_back();
    fields_[size_].first.assign(name);
    fields_[size_].second.assign(value);
    ++size_;
}

void Headers::set(std::string_view name, std::string value)
{
    fields_.resize(size_);
    std::erase_if(fields_, [&](const auto& field) { return ascii::equal_ignoring_case(field.first, name); });
    fields_.emplace_back(name, std::move(value));
    size_ = fields_.size();
}

const std::string& Request::param(std::string_view name) const
{
    auto found = std::find_if(params.begin(), params.end(), [&](const auto& p) { return p.first == name; });
    assert(found != params.end());
    return found->second;
}

std::optional<std::string_view> body_bytes(const ResponseBody& body)
{
    if (const auto* text = std::get_if<std::string>(&body)) return *text;
    if (const auto* response = std::get_if<SharedCachedResponse>(&body)) return (*response)->body();
    const auto* bytes = std::get_if<SharedBytes>(&body);
    if (bytes == nullptr) return std::nullopt;
    if (!*bytes) return "";
    return std::string_view(reinterpret_cast<const char*>((*bytes)->data()), (*bytes)->size());
}

std::optional<std::uint64_t> body_length(const ResponseBody& body)
{
    if (const auto* file = std::get_if<FileSlice>(&body)) return file->length;
    const auto bytes = body_bytes(body);
    return bytes ? std::optional<std::uint64_t>(bytes->size()) : std::nullopt;
}

std::string_view without_blanks(std::string_view text)
{
    return ascii::trimmed(text, [](char c) { return c == ' ' || c == '\t'; });
}

std::string serialize_fields(const Response& response)
{
    const auto phrase = api::reason_phrase(response.status);
    std::string head = fmt::format("HTTP/1.1 {} {}\r\n", response.status, phrase.empty() ? "Status" : phrase);
    for (const auto& [name, value] : response.headers) {
        if (may_be_sent(value)) head.append(name).append(": ").append(value).append("\r\n");
    }
    bool bodiless = response.status == 204 || response.status == 304;
    if (const auto length = body_length(response.body); length && !bodiless)
        head += fmt::format("Content-Length: {}\r\n", *length);
    return head;
}

std::string serialize_head(const Response& response, bool keep_alive, bool chunked)
{
    auto head = serialize_fields(response);
    if (chunked && !body_length(response.body)) head += "Transfer-Encoding: chunked\r\n";
    head.append("Date: ").append(http_date()).append("\r\n");
    head += keep_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
    return head;
}

std::string_view http_date()
{
    thread_local std::time_t second = -1;
    thread_local std::string text;
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
    if (now.tv_sec != second) {
        second = now.tv_sec;
        text = fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(second));
    }
    return text;
}

Response text_response(int status, std::string type, std::string body)
{
    Response response{.status = status, .headers = {}, .body = std::move(body)};
    response.headers.add("Content-Type", std::move(type));
    return response;
}

Response bytes_response(std::string type, SharedBytes bytes)
{
    Response response{.status = 200, .headers = {}, .body = std::move(bytes)};
    response.headers.add("Content-Type", std::move(type));
    return response;
}

RequestId make_request_id()
{
    constexpr std::string_view digits = "0123456789abcdef";
    thread_local std::mt19937_64 generator{std::random_device{}()};
    auto bits = generator();
    RequestId id;
    for (char& digit : id) {
        digit = digits[bits & 15];
        bits >>= 4;
    }
    return id;
}

bool may_show_other_assets(const Request& request)
{
    for (const auto* list : {&request.params, &request.target.query})
        for (const auto& [name, value] : *list)
            if (name == "attach" || (name == "clip" && may_be_of_other(value)) ||
                (name == "layer" && may_have_other_clip(value)))
                return true;
    return false;
}

} // namespace vitrine::server
