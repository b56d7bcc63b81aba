#include "server/uploads/tus_fields.hpp"

#include <algorithm>
#include <charconv>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/base/utf8.hpp"
#include "loaders/io/base64.hpp"
#include "loaders/io/resource_name.hpp"
#include "server/net/accept.hpp"
#include "server/routing/problems.hpp"
#include "server/util/hex.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_metadata_bytes = 4096;
constexpr std::size_t max_partials = 64; // of one final upload
constexpr std::string_view uploads_path = "/v1/uploads/";

std::unexpected<api::Problem> bad_upload(std::string detail)
{
    return problem(400, "bad_upload", std::move(detail));
}

std::optional<std::uint64_t> parse_number(std::string_view text)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool fits = number <= static_cast<std::uint64_t>(INT64_MAX);
    if (error != std::errc{} || end != text.data() + text.size() || !fits) return std::nullopt;
    return number;
}

// Empty optional: the value is not base64 of text.
std::optional<std::string> decode_text(std::string_view base64)
{
    const auto bytes = io::decode_base64(base64);
    if (!bytes) return std::nullopt;
    std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    if (!is_utf8(text)) return std::nullopt;
    return text;
}

// The path of the file, else its name. Empty text: there is none; empty optional: it is not a valid name.
std::optional<std::string> name_in(std::string_view metadata)
{
    std::string name, path;
    bool is_valid = true;
    any_element(metadata, [&](std::string_view pair) {
        const auto space = std::min(pair.find(' '), pair.size());
        const auto key = ascii::lower(pair.substr(0, space));
        if (key != "filename" && key != "relativepath") return false;
        const auto value = decode_text(without_blanks(pair.substr(space)));
        is_valid = value.has_value();
        (key == "filename" ? name : path) = value.value_or(std::string());
        return !is_valid;
    });
    const auto& chosen = path.empty() || path == "null" ? name : path; // Uppy sends null for a single file
    if (!is_valid || chosen.empty()) return is_valid ? std::optional(chosen) : std::nullopt;
    return io::normalize_name(chosen);
}

// "final;/v1/uploads/A /v1/uploads/B", also with whole URLs.
std::expected<std::vector<std::string>, api::Problem> read_partials(std::string_view urls)
{
    std::vector<std::string> ids;
    while (!urls.empty()) {
        const auto space = std::min(urls.find(' '), urls.size());
        const auto url = urls.substr(0, space);
        urls.remove_prefix(std::min(space + 1, urls.size()));
        if (url.empty()) continue;
        const auto at = url.rfind(uploads_path);
        if (at == url.npos || at + uploads_path.size() == url.size())
            return bad_upload("Upload-Concat names something else than uploads.");
        ids.emplace_back(url.substr(at + uploads_path.size()));
    }
    if (ids.empty() || ids.size() > max_partials)
        return bad_upload(fmt::format("Upload-Concat must name 1 to {} uploads.", max_partials));
    return ids;
}

bool is_visible_ascii(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

// Of a new upload that is not a final one.
std::expected<std::uint64_t, api::Problem> read_length(const Request& request, std::uint64_t max_bytes)
{
    const auto length = parse_number(request.headers.find("Upload-Length").value_or(""));
    if (!length)
        return bad_upload("Upload-Length must be the number of bytes, or Upload-Defer-Length must be 1.");
    if (*length > max_bytes)
        return problem(413, "upload_too_large", "The upload is larger than this server accepts.");
    return *length;
}

} // namespace

std::optional<api::Problem> check_tus_version(const Request& request)
{
    if (request.headers.find("Tus-Resumable") == tus_version) return std::nullopt;
    return api::Problem{
        .status = 412, .code = "unknown_protocol", .detail = "The field Tus-Resumable must be 1.0.0."};
}

std::expected<OpenUpload, api::Problem> read_new_upload(const Request& request, std::uint64_t max_bytes)
{
    OpenUpload upload{.metadata = std::string(request.headers.find("Upload-Metadata").value_or("")),
                      .concat = std::string(request.headers.find("Upload-Concat").value_or(""))};
    for (const auto& text : {upload.metadata, upload.concat})
        if (text.size() > max_metadata_bytes || !is_visible_ascii(text))
            return bad_upload("Upload-Metadata and Upload-Concat must be short and ASCII.");
    auto name = name_in(upload.metadata);
    if (!name)
        return problem(400, "bad_name", "The name of the file is not a relative path inside the upload.");
    upload.name = std::move(*name);
    if (upload.is_final()) {
        auto partials = read_partials(std::string_view(upload.concat).substr(upload.concat.find(';') + 1));
        if (!partials) return std::unexpected(partials.error());
        upload.partials = std::move(*partials);
        return upload;
    }
    if (!upload.concat.empty() && !upload.is_partial())
        return bad_upload("Upload-Concat must be partial, or final with the uploads.");
    upload.is_deferred =
        !request.headers.find("Upload-Length") && request.headers.find("Upload-Defer-Length") == "1";
    if (upload.is_deferred) return upload;
    const auto length = read_length(request, max_bytes);
    if (!length) return std::unexpected(length.error());
    upload.length = *length;
    return upload;
}

std::expected<std::optional<std::uint64_t>, api::Problem> read_late_length(const Request& request,
                                                                           std::uint64_t max_bytes)
{
    if (!request.headers.find("Upload-Length")) return std::nullopt;
    const auto length = read_length(request, max_bytes);
    if (!length) return std::unexpected(length.error());
    return *length;
}

std::expected<std::uint64_t, api::Problem> read_upload_offset(const Request& request)
{
    const auto offset = parse_number(request.headers.find("Upload-Offset").value_or(""));
    if (!offset) return bad_upload("Upload-Offset must be the number of bytes that the upload has so far.");
    return *offset;
}

std::expected<UploadChecksum, api::Problem> parse_upload_checksum(std::string_view field)
{
    const auto space = std::min(field.find(' '), field.size());
    const auto word = field.substr(0, space);
    const auto bytes = io::decode_base64(field.substr(space));
    const bool is_sha1 = word == "sha1";
    const std::size_t size = is_sha1 ? 20 : 32;
    if ((!is_sha1 && word != "sha256") || !bytes || bytes->size() != size)
        return bad_upload("Upload-Checksum must be sha1 or sha256, and the digest as base64.");
    return UploadChecksum{is_sha1 ? Digest::Algorithm::sha1 : Digest::Algorithm::sha256, to_hex(*bytes)};
}

std::expected<DeclaredChecksum, api::Problem> read_upload_checksum(const Request& request)
{
    DeclaredChecksum declared;
    if (const auto field = request.headers.find("Upload-Checksum")) {
        auto known = parse_upload_checksum(*field);
        if (!known) return std::unexpected(known.error());
        declared.known = std::move(*known);
    } else if (const auto trailer = request.headers.find("Trailer")) {
        declared.follows = ascii::lower(*trailer).contains("upload-checksum");
    }
    return declared;
}

std::expected<bool, api::Problem> has_upload_bytes(const Request& request)
{
    if (media_type_of(request.headers.find("Content-Type").value_or("")) == offset_type) return true;
    if (request.content_length.value_or(0) == 0 && !request.headers.find("Transfer-Encoding")) return false;
    return problem(415, "unsupported_media_type",
                   "Send bytes of an upload as application/offset+octet-stream.");
}

void add_upload_fields(Response& response, const OpenUpload& upload)
{
    const auto expires = static_cast<std::time_t>(upload.expires / 1'000'000);
    response.headers.set("Tus-Resumable", std::string(tus_version));
    response.headers.set("Upload-Offset", std::to_string(upload.received));
    response.headers.set("Upload-Expires", fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(expires)));
    if (upload.is_deferred)
        response.headers.set("Upload-Defer-Length", "1");
    else
        response.headers.set("Upload-Length", std::to_string(upload.length));
    if (!upload.metadata.empty()) response.headers.set("Upload-Metadata", upload.metadata);
    if (!upload.concat.empty()) response.headers.set("Upload-Concat", upload.concat);
    response.headers.set("Cache-Control", "no-store");
}

} // namespace vitrine::server
