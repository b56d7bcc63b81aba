#pragma once
// Files that are opened for a loader process: regular ones only, without following links or blocking.

#include <cstdint>
#include <filesystem>

#include "loaders/worker/files/file_descriptor.hpp"

namespace vitrine::worker {

struct RegularFile {
    FileDescriptor descriptor; // invalid: there is no such file
    std::uint64_t size = 0;
};

// The file, if it is open and regular.
RegularFile as_regular(FileDescriptor descriptor);

RegularFile open_regular(const std::filesystem::path& path);
// The open file once more, for reading only and with an offset of its own.
RegularFile reopen_regular(int descriptor);

} // namespace vitrine::worker
