#pragma once
// Texts that only those who know a secret can read: AES-256-GCM. Any thread.

#include <optional>
#include <string>
#include <string_view>

namespace vitrine::server {

// The key is the SHA-256 of `secret`. Returns hexadecimal digits, others at each call. Throws
// std::runtime_error: no random numbers.
std::string seal_text(std::string_view secret, std::string_view text);
// Empty if `sealed` was not made with this secret, or was changed.
std::optional<std::string> open_sealed_text(std::string_view secret, std::string_view sealed);

} // namespace vitrine::server
