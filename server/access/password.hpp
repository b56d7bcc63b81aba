#pragma once
// Passwords and what the database has of them: scrypt (RFC 7914) by OpenSSL. Any thread.

#include <cstdint>
#include <string>
#include <string_view>

namespace vitrine::server {

// The default takes about 0.3 s and 32 MiB (128 r 2^log_n bytes) for each guess.
struct PasswordCost {
    std::uint32_t log_n = 15;
    std::uint32_t r = 8;
    std::uint32_t p = 3;
};

inline constexpr std::size_t min_password = 8;   // bytes
inline constexpr std::size_t max_password = 256; // bytes
// Why a text cannot be a password, as the end of a sentence; empty: it can.
std::string password_fault(std::string_view password);

// Returns "$scrypt$ln=15,r=8,p=3$SALT$HASH", both in base64, with a random salt. Throws std::runtime_error:
// no random numbers, no memory.
std::string hash_password(std::string_view password, const PasswordCost& cost = {});
// Whether `stored` was made from the password. It takes the time of the cost in `stored`; if that is no hash
// (nobody's, or of a user without a password), the time of `cost`, and the result is false. Throws
// std::runtime_error: no memory.
bool matches_password(std::string_view password, std::string_view stored, const PasswordCost& cost = {});

} // namespace vitrine::server
