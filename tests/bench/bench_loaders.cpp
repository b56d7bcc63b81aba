// bench_loaders [SIDE [alone]]: writes an OBJ of SIDE * SIDE vertices (1040: 1.08 M) to a temporary file,
// loads it a few times and, where assimp is installed and `alone` is not said, with assimp in the same run.
// Prints best CPU times and peak heap.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <functional>
#include <new>
#include <string>

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef VITRINE_HAS_ASSIMP
#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#endif

#include "loaders/obj/obj.hpp"

namespace {

std::atomic<std::size_t> heap_now{0}, heap_peak{0};

void count(void* pointer)
{
    const std::size_t now = heap_now += malloc_usable_size(pointer);
    if (now > heap_peak) heap_peak = now;
}

} // namespace

void* operator new(std::size_t size)
{
    void* pointer = std::malloc(size);
    if (pointer == nullptr) throw std::bad_alloc();
    count(pointer);
    return pointer;
}

void operator delete(void* pointer) noexcept
{
    heap_now -= pointer != nullptr ? malloc_usable_size(pointer) : 0;
    std::free(pointer);
}

void operator delete(void* pointer, std::size_t) noexcept
{
    operator delete(pointer);
}

namespace {

namespace fs = std::filesystem;

// A hilly square with texture coordinates and normals; triangles.
void write_grid(const fs::path& path, int side)
{
    std::FILE* out = std::fopen(path.c_str(), "w");
    if (out == nullptr) throw std::runtime_error("cannot write " + path.string());
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const double u = double(x) / (side - 1), v = double(y) / (side - 1),
                         h = std::sin(u * 9) * std::cos(v * 7);
            std::fprintf(out, "v %.6f %.6f %.6f\nvt %.6f %.6f\nvn %.6f %.6f %.6f\n", u * 100 - 50, h * 5,
                         v * 100 - 50, u, v, -std::cos(u * 9) * 0.4, 0.8, std::sin(v * 7) * 0.4);
        }
    }
    for (int y = 0; y + 1 < side; ++y) {
        for (int x = 0; x + 1 < side; ++x) {
            const int a = y * side + x + 1, b = a + 1, c = a + side, d = c + 1;
            std::fprintf(out, "f %d/%d/%d %d/%d/%d %d/%d/%d\nf %d/%d/%d %d/%d/%d %d/%d/%d\n", a, a, a, c, c,
                         c, d, d, d, a, a, a, d, d, d, b, b, b);
        }
    }
    std::fclose(out);
}

class MappedSource final : public vitrine::Source {
public:
    explicit MappedSource(const fs::path& path) : names_{path.filename().string()}
    {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        size_ = fs::file_size(path);
        at_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
        ::close(file);
        if (at_ == MAP_FAILED) throw std::runtime_error("cannot map " + path.string());
    }
    ~MappedSource() override { ::munmap(at_, size_); }
    MappedSource(const MappedSource&) = delete;
    MappedSource& operator=(const MappedSource&) = delete;

    const std::string& main_name() const override { return names_[0]; }
    const std::vector<std::string>& names() const override { return names_; }
    std::optional<vitrine::Bytes> open(std::string_view name) override
    {
        if (name != names_[0]) return std::nullopt;
        return vitrine::Bytes(static_cast<const std::byte*>(at_), size_);
    }

private:
    std::vector<std::string> names_;
    void* at_ = nullptr;
    std::size_t size_ = 0;
};

// Of this process: others on the machine do not count.
double cpu_seconds()
{
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double best_of(int runs, const char* what, std::uintmax_t bytes, const std::function<std::size_t()>& run)
{
    double best = 1e9;
    std::size_t peak = 0, vertices = 0;
    for (int i = 0; i < runs; ++i) {
        const std::size_t before = heap_now;
        heap_peak = before;
        const double start = cpu_seconds();
        vertices = run();
        best = std::min(best, cpu_seconds() - start);
        peak = heap_peak - before;
    }
    std::printf("%-8s %7.0f ms  %6.0f MB/s  peak heap %4zu MB  %zu vertices\n", what, best * 1e3,
                static_cast<double>(bytes) / best / 1e6, peak >> 20, vertices);
    return best;
}

} // namespace

int main(int argc, char** argv)
try {
    const int side = argc > 1 ? std::max(2, std::atoi(argv[1])) : 1040;
    const fs::path path =
        fs::temp_directory_path() / ("bench_loaders_" + std::to_string(::getpid()) + ".obj");
    write_grid(path, side);
    const auto bytes = fs::file_size(path);
    std::printf("OBJ of %.0f MB\n", static_cast<double>(bytes) / 1e6);
    const double ours = best_of(5, "vitrine", bytes, [&] {
        MappedSource source(path);
        const auto scene = vitrine::load_obj(source, {});
        return scene ? scene->meshes.at(0).positions.size() : 0;
    });
    if (argc > 2) return void(fs::remove(path)), 0;
#ifdef VITRINE_HAS_ASSIMP
    const double theirs = best_of(2, "assimp", bytes, [&] {
        Assimp::Importer importer;
        const aiScene* scene = importer.ReadFile(path.string(), 0);
        return scene != nullptr ? std::size_t{scene->mMeshes[0]->mNumVertices} : 0;
    });
    std::printf("assimp takes %.1f times as long\n", theirs / ours);
#else
    std::printf("assimp is not installed: no comparison (%.3f s)\n", ours);
#endif
    fs::remove(path);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
