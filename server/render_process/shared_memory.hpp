#pragma once
// Memory files that the server and a render process share. All of them are made by the server, with a size
// that neither can change: reading them cannot fail.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <sys/mman.h>

#include "loaders/scene/shared_scene.hpp"
#include "loaders/worker/files/file_descriptor.hpp"
#include "vk_renderer/mesh/lod.hpp"

namespace vitrine::render_process {

using worker::FileDescriptor;

// A shared mapping for reading and writing; in the server also the file, until it is passed on.
class SharedMemory {
public:
    SharedMemory() = default;
    SharedMemory(SharedMemory&& other) noexcept
        : file_(std::move(other.file_)), bytes_(std::exchange(other.bytes_, {}))
    {
    }
    SharedMemory& operator=(SharedMemory&& other) noexcept
    {
        std::swap(file_, other.file_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~SharedMemory()
    {
        if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
    }

    // Throws RenderError if the system has no descriptors or address space left.
    static SharedMemory create(std::uint64_t size_bytes);
    // Empty: the file is shorter, or cannot be mapped.
    static std::optional<SharedMemory> map(const FileDescriptor& file, std::uint64_t size_bytes);

    std::span<std::byte> bytes() const { return bytes_; }
    std::uint64_t size() const { return bytes_.size(); }
    int descriptor() const { return file_.get(); } // -1: of map(), or closed
    void close_file() { file_.reset(); }

private:
    FileDescriptor file_;
    std::span<std::byte> bytes_;
};

struct ObjectFile {
    FileDescriptor file;
    std::uint64_t size_bytes = 0;
};

// In the server. Throws RenderError if memory or descriptors are exhausted.
ObjectFile write_scene(const scene::Scene& scene);
ObjectFile write_lod(const render::LodIndices& lod);

// In the process; null: the file is not what the server has written, or memory is exhausted. The arrays of
// the scene are those of the file, which stays mapped as long as the scene exists.
scene::SharedScene map_scene(const FileDescriptor& file, std::uint64_t size_bytes);
std::shared_ptr<const render::LodIndices> map_lod(const FileDescriptor& file, std::uint64_t size_bytes);

} // namespace vitrine::render_process
