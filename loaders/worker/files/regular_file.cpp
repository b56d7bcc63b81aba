#include "loaders/worker/files/regular_file.hpp"

#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

namespace vitrine::worker {

RegularFile as_regular(FileDescriptor descriptor)
{
    RegularFile file;
    struct stat file_stat{};
    if (!descriptor.valid() || ::fstat(descriptor.get(), &file_stat) != 0 || !S_ISREG(file_stat.st_mode))
        return file;
    file.size = static_cast<std::uint64_t>(file_stat.st_size);
    file.descriptor = std::move(descriptor);
    return file;
}

// Opening must not block (fifo) or follow links.
RegularFile open_regular(const std::filesystem::path& path)
{
    return as_regular(
        FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)));
}

RegularFile reopen_regular(int descriptor)
{
    const auto path = "/proc/self/fd/" + std::to_string(descriptor);
    return as_regular(FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)));
}

} // namespace vitrine::worker
