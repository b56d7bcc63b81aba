#include "loaders/io/file_opener.hpp"

#include <fmt/format.h>

namespace vitrine::io {

LoadResult<Bytes> FileOpener::open(const std::string& name)
{
    const auto bytes = source_.open(name);
    if (!bytes) return fail(LoadErrc::missing_file, name, "the file cannot be read");
    bytes_ += bytes->size();
    if (bytes->size() > limits_.file_bytes)
        return fail(LoadErrc::limit_exceeded, name,
                    fmt::format("the file of {} bytes is more than the limit file_bytes = {}", bytes->size(),
                                limits_.file_bytes));
    if (bytes_ > limits_.total_bytes)
        return fail(
            LoadErrc::limit_exceeded, name,
            fmt::format("all files together are more than the limit total_bytes = {}", limits_.total_bytes));
    return *bytes;
}

} // namespace vitrine::io
