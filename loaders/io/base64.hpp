#pragma once
// Base64 (RFC 4648), data URIs (RFC 2397) and percent-encoding (RFC 3986).
//
// Not OpenSSL's, which the server uses: the sandboxed loader process links no libcrypto. EVP_DecodeBlock also
// accepts other texts: '=' anywhere, as zero bits, and whatever follows a '-'; but no URL alphabet, no text
// without padding and no white space between digits, all of which occur in files.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/io/input.hpp"

namespace vitrine::io {

// Takes the standard and the URL alphabet; padding may be missing, white space is skipped. Anything else,
// and a length that no encoder makes, gives an empty optional.
std::optional<std::vector<std::byte>> decode_base64(std::string_view text);
std::string encode_base64(Bytes bytes);

// "%20" becomes a blank; a '%' that starts no sequence stays as it is.
std::string percent_decode(std::string_view text);

struct DataUri {
    std::string media_type; // lower case, without parameters; may be empty
    std::vector<std::byte> bytes;
};

bool is_data_uri(std::string_view uri);
// Base64 or percent-encoded payload. Empty optional when it is not a data URI or its payload is broken.
std::optional<DataUri> decode_data_uri(std::string_view uri);

} // namespace vitrine::io
