#pragma once
// A temporary file that is hashed while it is written, the body of a BlobWriter. One thread at a time. Throws
// StorageError.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "server/util/files.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {

class HashedFile {
public:
    // Creates a file in `folder`; the destructor removes it unless move_to() was called.
    explicit HashedFile(const std::filesystem::path& folder);
    ~HashedFile();
    HashedFile(const HashedFile&) = delete;
    HashedFile& operator=(const HashedFile&) = delete;

    void write(std::span<const std::byte> bytes); // small writes are combined
    std::uint64_t size_bytes() const { return size_bytes_; }
    // Writes what is left and returns the SHA-256 of all bytes. Call once, before the following functions.
    std::string finish();
    void sync() const { file_.sync(path_); }
    void move_to(const std::filesystem::path& target);

private:
    void flush();
    void store(std::span<const std::byte> bytes);

    std::filesystem::path path_;
    OpenFile file_;
    Sha256 hash_;
    std::vector<std::byte> buffer_; // not yet written
    std::uint64_t size_bytes_ = 0;
    std::uint64_t stored_bytes_ = 0;       // without those in the buffer
    std::uint64_t written_back_bytes_ = 0; // of these, on their way to the disk
    bool moved_ = false;
};

} // namespace vitrine::server
