#pragma once
// POSIX files as the services need them: written whole, made durable, read by ranges. Throws StorageError
// unless it says otherwise.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace vitrine::server {

// Owns a descriptor.
class File {
public:
    File() = default;
    explicit File(int descriptor) : descriptor_(descriptor) {}
    ~File();
    File(File&& other) noexcept;
    File& operator=(File&& other) noexcept;

    // For writing; the file must not exist.
    static File create(const std::filesystem::path& path);
    // For reading; empty optional: there is no such file.
    static std::optional<File> find(const std::filesystem::path& path);

    void write(std::span<const std::byte> bytes, const std::filesystem::path& path);
    // Fewer than `count` at the end of the file.
    std::vector<std::byte> read(std::uint64_t offset, std::size_t count,
                                const std::filesystem::path& path) const;
    std::uint64_t size_bytes() const;
    void sync(const std::filesystem::path& path) const;

private:
    int descriptor_ = -1;
};

// A rename or a new name inside `folder` survives a power cut after this.
void sync_folder(const std::filesystem::path& folder);
void make_folders(const std::filesystem::path& folder);
void rename_file(const std::filesystem::path& from, const std::filesystem::path& to);

// What an ordinary process may still write to the file system of `folder`; 2^64 - 1 where nobody knows. Never
// throws.
std::uint64_t free_bytes(const std::filesystem::path& folder) noexcept;

// A new empty folder, removed with all in it at the end.
class ScratchFolder {
public:
    explicit ScratchFolder(const std::filesystem::path& parent);
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace vitrine::server
