#include "server/services/storage/checked_file.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include <zlib.h>

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

// At the end of each file, to detect files torn by a power failure. Host byte order: the cache is not
// portable.
struct Trailer {
    std::uint32_t magic = 0x43445456; // "VTDC"
    std::uint32_t crc = 0;
    std::uint64_t size = 0;
};
static_assert(sizeof(Trailer) == trailer_bytes);

void add_to(Trailer& trailer, std::span<const std::byte> bytes)
{
    trailer.crc = static_cast<std::uint32_t>(
        crc32_z(trailer.crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
    trailer.size += bytes.size();
}

} // namespace

std::optional<std::vector<std::byte>> read_checked(const OpenFile& file, const fs::path& path)
{
    auto content = file.read(0, ~std::size_t{0}, path);
    Trailer found;
    if (content.size() < sizeof found) return std::nullopt;
    std::memcpy(&found, content.data() + content.size() - sizeof found, sizeof found);
    content.resize(content.size() - sizeof found);
    Trailer expected;
    add_to(expected, content);
    if (std::memcmp(&found, &expected, sizeof found) != 0) return std::nullopt;
    return content;
}

std::optional<std::uint64_t> content_size(const OpenFile& file, const fs::path& path)
{
    constexpr std::size_t piece_bytes = 1 << 20;
    const std::uint64_t size = file.size_bytes();
    if (size < sizeof(Trailer)) return std::nullopt;
    const std::uint64_t payload = size - sizeof(Trailer);
    Trailer expected;
    while (expected.size < payload) {
        const auto want =
            static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, payload - expected.size));
        const auto piece = file.read(expected.size, want, path);
        if (piece.empty()) return std::nullopt;
        add_to(expected, piece);
    }
    const auto found = file.read(payload, sizeof expected, path);
    const bool complete =
        found.size() == sizeof expected && std::memcmp(found.data(), &expected, sizeof expected) == 0;
    return complete ? std::optional(payload) : std::nullopt;
}

Result<std::uint64_t> write_checked(const fs::path& path, const WriteContent& write)
{
    struct Remover {
        const fs::path& path;
        bool armed = true;
        ~Remover()
        {
            std::error_code ignored;
            if (armed) fs::remove(path, ignored);
        }
    } remover{path};
    auto file = OpenFile::create(path);
    Trailer trailer;
    const auto written = write([&](std::string_view piece) {
        const auto bytes = std::as_bytes(std::span(piece));
        file.write(bytes, path);
        add_to(trailer, bytes);
    });
    if (!written) return std::unexpected(written.error());
    file.write(std::as_bytes(std::span(&trailer, 1)), path);
    remover.armed = false;
    return trailer.size + sizeof(Trailer);
}

} // namespace vitrine::server
