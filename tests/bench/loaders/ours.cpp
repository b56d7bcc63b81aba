#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/bench/loaders/readers.hpp"

namespace vitrine::bench {
namespace {

class MappedSource final : public Source {
public:
    explicit MappedSource(const std::filesystem::path& path)
        : names_{path.filename().string()}, size_(std::filesystem::file_size(path))
    {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        at_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
        ::close(file);
        if (at_ == MAP_FAILED) throw std::runtime_error("cannot map " + path.string());
    }
    ~MappedSource() override { ::munmap(at_, size_); }
    MappedSource(const MappedSource&) = delete;
    MappedSource& operator=(const MappedSource&) = delete;

    const std::string& main_name() const override { return names_[0]; }
    const std::vector<std::string>& names() const override { return names_; }
    std::optional<Bytes> open(std::string_view name) override
    {
        if (name != names_[0]) return std::nullopt;
        return Bytes(static_cast<const std::byte*>(at_), size_);
    }

private:
    std::vector<std::string> names_;
    std::size_t size_;
    void* at_ = nullptr;
};

template <class T>
std::uint64_t bytes_of(const scene::Array<T>& values)
{
    return values.size() * sizeof(T);
}

} // namespace

Read read_ours(Load load, const std::filesystem::path& path)
{
    MappedSource source(path);
    const auto scene = load(source, {});
    Read read;
    if (!scene) return read;
    for (const auto& mesh : scene->meshes) {
        for (const auto& primitive : mesh.primitives)
            if (primitive.topology == scene::Topology::triangles) read.triangles += primitive.count / 3;
        read.content_bytes += bytes_of(mesh.positions) + bytes_of(mesh.normals) + bytes_of(mesh.tangents) +
                              bytes_of(mesh.uv0) + bytes_of(mesh.uv1) + bytes_of(mesh.colors) +
                              bytes_of(mesh.indices) + bytes_of(mesh.influences.first) +
                              bytes_of(mesh.influences.joints) + bytes_of(mesh.influences.weights) +
                              bytes_of(mesh.frames.positions) + bytes_of(mesh.frames.normals);
        for (const auto& uvs : mesh.more_uvs)
            read.content_bytes += bytes_of(uvs);
    }
    return read;
}

} // namespace vitrine::bench
