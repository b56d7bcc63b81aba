#pragma once
// Base64 (RFC 4648) and data URIs (RFC 2397).
//
// Does not use OpenSSL, as the server does: the sandboxed loader process does not link libcrypto. Moreover,
// EVP_DecodeBlock accepts '=' anywhere, as zero bits, and any text after a '-', but rejects the URL alphabet,
// text without padding and white space between digits, all of which occur in files.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/io/input.hpp"

namespace vitrine::io {

// Decodes the standard and the URL alphabet; padding may be missing, white space is skipped. Returns an empty
// optional for other characters and for impossible lengths.
std::optional<std::vector<std::byte>> decode_base64(std::string_view text);
// With padding, without line breaks.
std::string encode_base64(std::string_view bytes);

struct DataUri {
    std::string media_type; // lower case, without parameters; may be empty
    std::vector<std::byte> bytes;
};

bool is_data_uri(std::string_view uri);
// Decodes a base64 or percent-encoded payload. Empty optional if `uri` is no data URI or its payload is
// invalid.
std::optional<DataUri> decode_data_uri(std::string_view uri);

} // namespace vitrine::io
