#pragma once
// One process owns a data directory.

#include <filesystem>

namespace vitrine::server {

class DataLock {
public:
    // Makes the folder when absent and locks root/lock. Throws StorageError: cannot be made, or held already.
    explicit DataLock(const std::filesystem::path& root);
    ~DataLock();
    DataLock(const DataLock&) = delete;
    DataLock& operator=(const DataLock&) = delete;

private:
    int file_ = -1;
};

} // namespace vitrine::server
