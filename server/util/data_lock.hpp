#pragma once
// Makes one process the owner of a data directory.

#include <filesystem>

namespace vitrine::server {

// A file of a data folder while a backup is being restored to it: no server uses the folder.
inline constexpr const char* restore_mark = "restore-unfinished";

class DataLock {
public:
    // Creates the folder if needed and locks root/lock. Throws StorageError: it cannot be created, or another
    // process has the lock.
    explicit DataLock(const std::filesystem::path& root);
    ~DataLock();
    DataLock(const DataLock&) = delete;
    DataLock& operator=(const DataLock&) = delete;

private:
    int file_ = -1;
};

} // namespace vitrine::server
