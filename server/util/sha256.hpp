#pragma once
// Incremental SHA-256, and SHA-1 where a protocol wants it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace vitrine::server {

class Digest {
public:
    enum class Algorithm : std::uint8_t { sha1, sha256 };

    explicit Digest(Algorithm algorithm);
    ~Digest();
    Digest(Digest&&) noexcept;
    Digest& operator=(Digest&&) noexcept;

    void update(std::span<const std::byte> bytes);
    void update(std::string_view text);
    // Returns 40 (SHA-1) or 64 lower-case hexadecimal digits. The object must not be used afterwards.
    std::string finish();

private:
    struct Context;
    std::unique_ptr<Context> context_;
};

class Sha256 : public Digest {
public:
    Sha256() : Digest(Algorithm::sha256) {}
};

std::string sha256_hex(std::string_view text);
// Returns whether `text` is exactly 64 lower-case hexadecimal digits.
bool is_sha256(std::string_view text);

} // namespace vitrine::server
