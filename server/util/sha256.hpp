#pragma once
// Incremental SHA-256.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace vitrine::server {

class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;

    void update(std::span<const std::byte> bytes);
    void update(std::string_view text);
    // Returns 64 lower-case hexadecimal digits. The object must not be used afterwards.
    std::string finish();

private:
    struct Context;
    std::unique_ptr<Context> context_;
};

std::string sha256_hex(std::string_view text);
// Returns whether `text` is exactly 64 lower-case hexadecimal digits.
bool is_sha256(std::string_view text);

} // namespace vitrine::server
