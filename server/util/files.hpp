#pragma once
// POSIX files: complete writes, durability, ranged reads. Throws StorageError unless stated otherwise.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace vitrine::server {

// Owns a file descriptor.
// Tells a file from another one and from its own state before a change.
struct FileState {
    std::uint64_t device = 0, inode = 0, size_bytes = 0;
    std::int64_t modified_ns = 0; // since 1970

    bool operator==(const FileState&) const = default;
};

class OpenFile {
public:
    OpenFile() = default;
    explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
    ~OpenFile();
    OpenFile(OpenFile&& other) noexcept;
    OpenFile& operator=(OpenFile&& other) noexcept;

    // Opens for writing; the file must not exist.
    static OpenFile create(const std::filesystem::path& path);
    // Opens for reading and writing a file without a name, which ends with its descriptor.
    static OpenFile create_unnamed(const std::filesystem::path& folder);
    // Opens for reading; returns an empty optional if the file does not exist.
    static std::optional<OpenFile> find(const std::filesystem::path& path);

    void write(std::span<const std::byte> bytes, const std::filesystem::path& path);
    // Returns fewer than `count` bytes at the end of the file.
    std::vector<std::byte> read(std::uint64_t offset, std::size_t count,
                                const std::filesystem::path& path) const;
    std::uint64_t size_bytes() const;
    FileState state() const;
    int descriptor() const { return descriptor_; } // stays owned by this object; -1: none
    void sync(const std::filesystem::path& path) const;
    // Lets the kernel write these bytes to the disk now, so that a later sync() waits for less. Does not
    // wait, ignores errors, which sync() reports.
    void start_writing_back(std::uint64_t offset, std::uint64_t count) const noexcept;

private:
    int descriptor_ = -1;
};

// After this call a rename or a new name inside `folder` survives a power failure.
void sync_folder(const std::filesystem::path& folder);
void make_folders(const std::filesystem::path& folder);
// Removes what a killed process has left in it. Throws StorageError if it cannot be created.
void make_empty_folder(const std::filesystem::path& folder);
// The absolute path without symbolic links, . and .. and a slash at its end; what does not exist stays as it
// is.
std::filesystem::path whole_path(const std::filesystem::path& path);
void rename_file(const std::filesystem::path& from, const std::filesystem::path& to);

// Returns the bytes that an unprivileged process may still write to the file system of `folder`; 2^64 - 1 if
// unknown. Never throws.
std::uint64_t free_bytes(const std::filesystem::path& folder) noexcept;

// A new empty folder that only its owner may use; the destructor removes it with its content.
class TemporaryFolder {
public:
    // Precondition: `parent` exists.
    explicit TemporaryFolder(const std::filesystem::path& parent);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace vitrine::server
