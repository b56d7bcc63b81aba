#include "server/routing/content_encoding.hpp"

#include <array>
#include <memory>
#include <new>

#include <brotli/encode.h>
#include <libdeflate.h>

#include "server/net/accept.hpp"
#include "server/net/byte_range.hpp"

namespace vitrine::server {
namespace {

constexpr int gzip_level = 6;     // 1..12
constexpr int brotli_quality = 5; // 0..11; 9 takes five times as long for 3 % less

std::string gzip(std::string_view bytes)
{
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
        libdeflate_alloc_compressor(gzip_level), &libdeflate_free_compressor);
    if (!compressor) throw std::bad_alloc();
    std::string out(libdeflate_gzip_compress_bound(compressor.get(), bytes.size()), '\0');
    out.resize(
        libdeflate_gzip_compress(compressor.get(), bytes.data(), bytes.size(), out.data(), out.size()));
    return out;
}

std::string brotli(std::string_view bytes)
{
    std::string out(BrotliEncoderMaxCompressedSize(bytes.size()), '\0');
    std::size_t size = out.size();
    const auto* input = reinterpret_cast<const std::uint8_t*>(bytes.data());
    auto* output = reinterpret_cast<std::uint8_t*>(out.data());
    if (BrotliEncoderCompress(brotli_quality, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, bytes.size(), input,
                              &size, output) == BROTLI_FALSE)
        throw std::bad_alloc(); // its only failure with a buffer of the largest size
    out.resize(size);
    return out;
}

std::string suffix_of(Encoding encoding)
{
    return "-" + std::string(to_string(encoding)) + "\"";
}

} // namespace

std::string_view to_string(Encoding encoding)
{
    switch (encoding) {
    case Encoding::gzip: return "gzip";
    case Encoding::brotli: return "br";
    case Encoding::identity: break;
    }
    return "identity";
}

Encoding choose_encoding(const Headers& request)
{
    const auto field = request.find("Accept-Encoding");
    if (!field || request.find("Sec-Fetch-Site").value_or("") == "cross-site") return Encoding::identity;
    const double brotli_weight = accept_quality(*field, "br");
    const double gzip_weight = accept_quality(*field, "gzip");
    if (brotli_weight > 0 && brotli_weight >= gzip_weight) return Encoding::brotli;
    return gzip_weight > 0 ? Encoding::gzip : Encoding::identity;
}

bool is_compressible(std::string_view content_type)
{
    constexpr std::array<std::string_view, 5> types{"application/json", "application/manifest+json",
                                                    "application/wasm", "image/svg+xml", "model/obj"};
    const auto type = media_type_of(content_type);
    return (type.starts_with("text/") && type != "text/event-stream") ||
           std::ranges::find(types, type) != types.end();
}

std::string compress(std::string_view bytes, Encoding encoding)
{
    switch (encoding) {
    case Encoding::gzip: return gzip(bytes);
    case Encoding::brotli: return brotli(bytes);
    case Encoding::identity: break;
    }
    return std::string(bytes);
}

std::string encoded_etag(std::string_view etag, Encoding encoding)
{
    if (encoding == Encoding::identity || !etag.ends_with('"')) return std::string(etag);
    return std::string(etag.substr(0, etag.size() - 1)) + suffix_of(encoding);
}

std::string decoded_etags(std::string_view field, Encoding encoding)
{
    const auto suffix = suffix_of(encoding);
    std::string tags;
    while (!field.empty()) {
        const auto comma = std::min(field.find(','), field.size());
        const auto tag = without_blanks(field.substr(0, comma));
        field.remove_prefix(std::min(comma + 1, field.size()));
        if (!tags.empty()) tags += ", ";
        const bool is_encoded = encoding != Encoding::identity && tag.ends_with(suffix);
        tags += is_encoded ? std::string(tag.substr(0, tag.size() - suffix.size())) + "\"" : std::string(tag);
    }
    return tags;
}

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
