#include "server/routing/response_encoding.hpp"

#include "server/net/byte_range.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t min_bytes = 1024;    // smaller bodies are one packet in any form
constexpr std::size_t max_bytes = 1 << 20; // larger ones would occupy a thread for long: sent as they are

void decode_tags(Request& request, std::string_view name, Encoding encoding)
{
    if (const auto field = request.headers.find(name))
        request.headers.set(name, decoded_etags(*field, encoding));
}

void add_vary(Response& response)
{
    const auto vary = response.headers.find("Vary");
    response.headers.set("Vary", vary ? std::string(*vary) + ", Accept-Encoding" : "Accept-Encoding");
}

} // namespace

ResponseEncoding::ResponseEncoding(Request& request, bool is_text)
    : is_text_(is_text), encoding_(choose_encoding(request.headers))
{
    decode_tags(request, "If-Match", Encoding::gzip);
    decode_tags(request, "If-Match", Encoding::brotli);
    if (!is_text) return;
    known_tags_ = request.headers.find("If-None-Match").value_or("");
    if (encoding_ != Encoding::identity) decode_tags(request, "If-None-Match", encoding_);
}

void ResponseEncoding::apply(Response& response, const SharedCachedResponse& known) const
{
    if (!is_text_ || (response.status != 200 && response.status != 304)) return;
    add_vary(response);
    if (encoding_ == Encoding::identity) return;
    if (response.status == 200) return compress_body(response, known);
    const auto tag = encoded_etag(response.headers.find("ETag").value_or(""), encoding_);
    if (matches_etag(known_tags_, tag) && known_tags_ != "*") response.headers.set("ETag", tag);
}

void ResponseEncoding::compress_body(Response& response, const SharedCachedResponse& known) const
{
    const auto bytes = body_bytes(response.body);
    const auto plain_tag = response.headers.find("ETag");
    const bool fits = bytes && bytes->size() >= min_bytes && bytes->size() <= max_bytes;
    if (!fits || !plain_tag || response.headers.find("Content-Encoding")) return;
    if (!is_compressible(response.headers.find("Content-Type").value_or(""))) return;
    auto tag = encoded_etag(*plain_tag, encoding_);
    if (known && known->etag == tag && !known->head.empty()) {
        response.body = known;
    } else {
        auto compressed = compress(*bytes, encoding_);
        if (compressed.size() >= bytes->size()) return;
        response.body = std::move(compressed);
    }
    response.headers.set("ETag", std::move(tag));
    response.headers.set("Content-Encoding", std::string(to_string(encoding_)));
}

} // namespace vitrine::server
