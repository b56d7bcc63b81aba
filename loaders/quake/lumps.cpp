#include "loaders/quake/lumps.hpp"

#include <fmt/format.h>

#include "loaders/io/limits.hpp"

namespace vitrine::quake {

std::string at_byte(std::uint64_t byte)
{
    return fmt::format("byte {}", byte);
}

std::string_view text_of(Bytes bytes)
{
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return text.substr(0, text.find('\0'));
}

std::unexpected<LoadError> lump_limit_error(std::string_view what, std::uint64_t count, std::string_view name,
                                            std::uint64_t limit)
{
    return io::limit_exceeded_error("", fmt::format("{} {} are more", count, what), name, limit);
}

LoadResult<Bytes> find_lump(Bytes file, std::uint64_t declared_bytes, const Lump& lump)
{
    if (lump.count == 0) return Bytes();
    if (lump.at <= file.size() && lump.count <= (file.size() - lump.at) / lump.size)
        return file.subspan(lump.at, lump.count * lump.size);
    return fail(file.size() < declared_bytes ? LoadErrc::truncated : LoadErrc::out_of_range, at_byte(lump.at),
                fmt::format("the {} {} extend beyond the end of the file of {} bytes", lump.count, lump.what,
                            file.size()));
}

} // namespace vitrine::quake
