#include "server/access/password.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include "loaders/base/utf8.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t salt_bytes = 16;
constexpr std::size_t hash_bytes = 32;
constexpr std::uint32_t max_log_n = 20; // of stored hashes: 1 GiB with r = 8
constexpr std::uint32_t max_r = 32, max_p = 64;

using Salt = std::array<unsigned char, salt_bytes>;
using PasswordKey = std::array<unsigned char, hash_bytes>;

struct StoredPassword {
    PasswordCost cost;
    Salt salt{};
    PasswordKey key{};
};

PasswordKey derive_key(std::string_view password, const Salt& salt, const PasswordCost& cost)
{
    const std::uint64_t n = std::uint64_t{1} << cost.log_n;
    const std::uint64_t memory = 128ull * cost.r * (n + cost.p + 2) + (1 << 20);
    PasswordKey key{};
    if (EVP_PBE_scrypt(password.data(), password.size(), salt.data(), salt.size(), n, cost.r, cost.p, memory,
                       key.data(), key.size()) != 1)
        throw std::runtime_error("the hash of a password cannot be computed");
    return key;
}

std::string to_base64(std::span<const unsigned char> bytes)
{
    std::vector<unsigned char> text((bytes.size() + 2) / 3 * 4 + 1);
    const int size = EVP_EncodeBlock(text.data(), bytes.data(), static_cast<int>(bytes.size()));
    return {text.begin(), text.begin() + size};
}

// Returns whether the text, which must be base64 of as many bytes with its padding, was written to `bytes`.
bool parse_base64(std::string_view text, std::span<unsigned char> bytes)
{
    std::array<unsigned char, 64> out{};
    if (text.size() != (bytes.size() + 2) / 3 * 4 || text.size() > out.size()) return false;
    if (EVP_DecodeBlock(out.data(), reinterpret_cast<const unsigned char*>(text.data()),
                        static_cast<int>(text.size())) < 0)
        return false;
    std::copy_n(out.begin(), bytes.size(), bytes.begin());
    return true;
}

// Reads "NAME=" and a number from 1 to `max`, and removes them and the sign after them.
bool take_number(std::string_view& text, std::string_view name, std::uint32_t max, std::uint32_t& value)
{
    if (!text.starts_with(name)) return false;
    text.remove_prefix(name.size());
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end == text.data() + text.size() || value < 1 || value > max) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
    return true;
}

std::optional<StoredPassword> parse_stored(std::string_view text)
{
    StoredPassword stored;
    const bool has_cost = take_number(text, "$scrypt$ln=", max_log_n, stored.cost.log_n) &&
                          take_number(text, "r=", max_r, stored.cost.r) &&
                          take_number(text, "p=", max_p, stored.cost.p);
    const auto dollar = text.find('$');
    if (!has_cost || dollar == text.npos) return std::nullopt;
    if (!parse_base64(text.substr(0, dollar), stored.salt) ||
        !parse_base64(text.substr(dollar + 1), stored.key))
        return std::nullopt;
    return stored;
}

} // namespace

std::string password_fault(std::string_view password)
{
    if (password.size() < min_password || password.size() > max_password || !is_utf8(password) ||
        password.contains('\0'))
        return fmt::format("must have {} to {} bytes of UTF-8", min_password, max_password);
    return {};
}

std::string hash_password(std::string_view password, const PasswordCost& cost)
{
    Salt salt{};
    if (RAND_bytes(salt.data(), static_cast<int>(salt.size())) != 1)
        throw std::runtime_error("no random numbers for a password");
    return fmt::format("$scrypt$ln={},r={},p={}${}${}", cost.log_n, cost.r, cost.p, to_base64(salt),
                       to_base64(derive_key(password, salt, cost)));
}

bool matches_password(std::string_view password, std::string_view stored, const PasswordCost& cost)
{
    const auto known = parse_stored(stored);
    const StoredPassword nobodys{.cost = cost};
    const auto& expected = known ? *known : nobodys;
    const auto key = derive_key(password, expected.salt, expected.cost);
    return CRYPTO_memcmp(key.data(), expected.key.data(), key.size()) == 0 && known.has_value();
}

} // namespace vitrine::server
