#pragma once
// Header fields of tus 1.0.0. Errors are the problem of the response.

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "api/problem.hpp"
#include "server/net/http.hpp"
#include "server/services/uploads/upload_table.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {

inline constexpr std::string_view tus_version = "1.0.0";
inline constexpr std::string_view offset_type = "application/offset+octet-stream";

struct UploadChecksum {
    Digest::Algorithm algorithm = Digest::Algorithm::sha1;
    std::string digest; // hexadecimal, lower case
};

// 412 for a missing or another Tus-Resumable.
std::optional<api::Problem> check_tus_version(const Request& request);
// What a request says about the checksum of its body.
struct DeclaredChecksum {
    std::optional<UploadChecksum> known{};
    bool follows = false; // in the trailer
};

// Reads Upload-Length or Upload-Defer-Length, Upload-Metadata and Upload-Concat: name, metadata, concat,
// partials, and length or is_deferred.
std::expected<OpenUpload, api::Problem> read_new_upload(const Request& request, std::uint64_t max_bytes);
std::expected<std::uint64_t, api::Problem> read_upload_offset(const Request& request);
// The length that a request declares for a deferred upload.
std::expected<std::optional<std::uint64_t>, api::Problem> read_late_length(const Request& request,
                                                                           std::uint64_t max_bytes);
// From the head, or from the trailer if the field Trailer names it.
std::expected<DeclaredChecksum, api::Problem> read_upload_checksum(const Request& request);
std::expected<UploadChecksum, api::Problem> parse_upload_checksum(std::string_view field);
// Whether the body is bytes of an upload; 415 for a body of another type.
std::expected<bool, api::Problem> has_upload_bytes(const Request& request);

// Adds Tus-Resumable, Upload-Offset, Upload-Expires and the description of the upload.
void add_upload_fields(Response& response, const OpenUpload& upload);

} // namespace vitrine::server
