#pragma once
// Frames of a link, by which an API process shows live previews of a worker: each is one binary message of
// the link's WebSocket. Little-endian: u8 type, u8 flags, u16 0, u32 number of the stream (0: of the link),
// then the members below in their order; a text is u16 size and the bytes. Pure functions; both ends treat
// frames as untrusted input.

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>

namespace vitrine::server {

inline constexpr std::string_view link_protocol = "vitrine.link.v1"; // WebSocket subprotocol
inline constexpr std::string_view link_path = "/internal/link";

constexpr std::size_t max_chunk_bytes = 32 * 1024;      // of StreamData
constexpr std::uint32_t stream_window_bytes = 1u << 20; // credit of a new stream, in each direction

using LinkDigest = std::array<std::byte, 32>;

// The link begins: the worker sends a challenge, the API process a proof that it knows the secret and a
// challenge of its own, the worker its proof.
struct LinkChallenge {
    LinkDigest nonce{};
};
struct LinkProof {
    LinkDigest nonce{};
    LinkDigest mac{};
};
struct LinkWelcome {
    LinkDigest mac{};
};

// Before StreamOpen::principal of one to whom no other assets are shown, as to a share link.
inline constexpr std::string_view own_asset_prefix = "granted ";

// From the API process: opens a live preview; stream numbers ascend from 1.
struct StreamOpen {
    std::uint32_t stream = 0;
    std::string asset;
    std::string version; // as the path names it; empty: the newest
    std::string query;   // of the URL, as sent
    std::string principal;
    std::string request; // id, for the log
    std::string trace{}; // of the request; empty: none
};
struct StreamAccepted {
    std::uint32_t stream = 0;
};
// The problem of the response.
struct StreamRejected {
    std::uint32_t stream = 0;
    std::uint16_t status = 0;
    std::uint32_t retry_after_s = 0;
    std::string code;
    std::string detail;
};
// A piece of a WebSocket message.
struct StreamData {
    std::uint32_t stream = 0;
    bool is_binary = false;
    bool is_last = false;   // of its message
    std::string_view bytes; // valid as long as what it was decoded from
};
// Allows the peer to send more: see cost_of().
struct StreamCredit {
    std::uint32_t stream = 0;
    std::uint32_t bytes = 0;
};
struct StreamClose {
    std::uint32_t stream = 0;
    std::uint16_t code = 0; // of the WebSocket
    std::string reason;
};

using LinkFrame = std::variant<LinkChallenge, LinkProof, LinkWelcome, StreamOpen, StreamAccepted,
                               StreamRejected, StreamData, StreamCredit, StreamClose>;

// What a piece uses of the credit: more than its bytes, so that many small messages are limited too.
constexpr std::uint32_t cost_of(const StreamData& data)
{
    return static_cast<std::uint32_t>(data.bytes.size()) + 64;
}

// Texts that are longer than their limit are cut.
std::string encode_link_frame(const LinkFrame& frame);
// The error says what is wrong.
std::expected<LinkFrame, std::string> decode_link_frame(std::string_view bytes);

} // namespace vitrine::server
