#include "server/render_process/shared_memory.hpp"

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>

#include "loaders/scene/blob.hpp"
#include "loaders/scene/scene.hpp"
#include "loaders/worker/files/memory_mapping.hpp"
#include "server/render_process/messages.hpp"
#include "vk_renderer/base/errors.hpp"

namespace vitrine::render_process {
namespace {

[[noreturn]] void fail(const char* what)
{
    throw render::RenderError(std::string("no memory to share with the render process: ") + what + ": " +
                              std::generic_category().message(errno));
}

FileDescriptor make_memory_file(const char* name)
{
    FileDescriptor file(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file.valid()) fail("memfd_create");
    return file;
}

void write_all(int file, std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const auto written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail("writing shared memory");
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void seal(int file, int more_seals)
{
    if (::fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | more_seals) != 0)
        fail("sealing shared memory");
}

bool has_size(int file, std::uint64_t size_bytes)
{
    struct stat status{};
    return ::fstat(file, &status) == 0 && static_cast<std::uint64_t>(status.st_size) == size_bytes;
}

// A private mapping, whose written pages are copied.
std::shared_ptr<worker::MemoryMapping> map_privately(const FileDescriptor& file, std::uint64_t size_bytes)
{
    if (!has_size(file.get(), size_bytes)) return nullptr;
    auto mapping = worker::MemoryMapping::map(file.get(), size_bytes, PROT_READ | PROT_WRITE);
    return mapping ? std::make_shared<worker::MemoryMapping>(std::move(*mapping)) : nullptr;
}

} // namespace

SharedMemory SharedMemory::create(std::uint64_t size_bytes)
{
    auto file = make_memory_file("vitrine frames");
    if (::ftruncate(file.get(), static_cast<off_t>(size_bytes)) != 0) fail("ftruncate");
    seal(file.get(), 0);
    auto memory = map(file, size_bytes);
    if (!memory) fail("mapping shared memory");
    memory->file_ = std::move(file);
    return std::move(*memory);
}

std::optional<SharedMemory> SharedMemory::map(const FileDescriptor& file, std::uint64_t size_bytes)
{
    SharedMemory memory;
    if (size_bytes == 0) return memory;
    if (!has_size(file.get(), size_bytes)) return std::nullopt;
    void* at = ::mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (at == MAP_FAILED) return std::nullopt;
    memory.bytes_ = {static_cast<std::byte*>(at), size_bytes};
    return memory;
}

ObjectFile write_scene(const scene::Scene& scene)
{
    ObjectFile out{make_memory_file("vitrine scene"), 0};
    scene::encode_blob_pieces(scene).each([&](std::span<const std::byte> piece) {
        write_all(out.file.get(), piece);
        out.size_bytes += piece.size();
    });
    seal(out.file.get(), F_SEAL_WRITE);
    return out;
}

ObjectFile write_lod(const render::LodIndices& lod)
{
    ObjectFile out{make_memory_file("vitrine level of detail"), 0};
    const auto bytes = encode_lod(lod);
    write_all(out.file.get(), std::as_bytes(std::span(bytes)));
    out.size_bytes = bytes.size();
    seal(out.file.get(), F_SEAL_WRITE);
    return out;
}

scene::SharedScene map_scene(const FileDescriptor& file, std::uint64_t size_bytes)
{
    const auto mapping = map_privately(file, size_bytes);
    if (!mapping) return nullptr;
    auto scene = scene::decode_blob_in_place(mapping->writable_bytes(), mapping);
    return scene ? std::make_shared<const scene::Scene>(std::move(*scene)) : nullptr;
}

std::shared_ptr<const render::LodIndices> map_lod(const FileDescriptor& file, std::uint64_t size_bytes)
{
    const auto mapping = map_privately(file, size_bytes);
    if (!mapping) return nullptr;
    auto lod = decode_lod(
        {reinterpret_cast<const char*>(mapping->bytes().data()), static_cast<std::size_t>(size_bytes)});
    return lod ? std::make_shared<const render::LodIndices>(std::move(*lod)) : nullptr;
}

} // namespace vitrine::render_process
