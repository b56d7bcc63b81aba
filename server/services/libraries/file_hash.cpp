#include "server/services/libraries/file_hash.hpp"

#include <cstddef>
#include <span>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t piece_bytes = 4u << 20;

std::int64_t in_nanoseconds(const timespec& time)
{
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

} // namespace

FileStatus file_status(int descriptor)
{
    struct stat status{};
    if (::fstat(descriptor, &status) != 0) return {};
    return {static_cast<std::int64_t>(status.st_dev), static_cast<std::int64_t>(status.st_ino),
            status.st_size, in_nanoseconds(status.st_mtim), in_nanoseconds(status.st_ctim)};
}

std::optional<std::string> hash_file(const OpenFile& file,
                                     const std::function<bool(std::uint64_t read)>& goes_on)
{
    Sha256 hash;
    std::vector<std::byte> piece(std::min<std::uint64_t>(piece_bytes, file.size_bytes() + 1));
    for (std::uint64_t offset = 0;;) {
        const auto got = ::pread(file.descriptor(), piece.data(), piece.size(), static_cast<off_t>(offset));
        if (got < 0) return std::nullopt;
        if (got == 0) return hash.finish();
        hash.update(std::span(piece).first(static_cast<std::size_t>(got)));
        offset += static_cast<std::uint64_t>(got);
        if (!goes_on(offset)) return std::nullopt;
    }
}

} // namespace vitrine::server
