#pragma once
// Both ends of a link prove to each other that they know the same secret: HMAC-SHA256 of two random
// challenges. What runs over the link afterwards is protected by TLS, or by the network.

#include <string>
#include <string_view>

#include "server/link/link_frames.hpp"

namespace vitrine::server {

// Throws std::runtime_error if the system provides no random bytes.
LinkDigest make_challenge();

enum class LinkEnd : bool { api, worker };
// The proof of this end.
LinkDigest link_mac(std::string_view secret, LinkEnd end, const LinkDigest& worker_nonce,
                    const LinkDigest& api_nonce);
// In a time that does not depend on the first difference.
bool is_equal(const LinkDigest& a, const LinkDigest& b);

} // namespace vitrine::server
