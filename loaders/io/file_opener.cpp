#include "loaders/io/file_opener.hpp"

#include <fmt/format.h>

#include "loaders/io/limits.hpp"

namespace vitrine::io {

LoadResult<Bytes> FileOpener::open(const std::string& name)
{
    const auto bytes = source_.open(name);
    if (!bytes) return fail(LoadErrc::missing_file, name, "the file cannot be read");
    bytes_ += bytes->size();
    if (bytes->size() > limits_.file_bytes)
        return limit_exceeded_error(name, fmt::format("the file of {} bytes", bytes->size()), "file_bytes",
                                    limits_.file_bytes);
    if (bytes_ > limits_.total_bytes)
        return limit_exceeded_error(name, "the bytes of all files", "total_bytes", limits_.total_bytes);
    return *bytes;
}

} // namespace vitrine::io
