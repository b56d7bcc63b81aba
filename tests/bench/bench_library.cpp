// Scans of a library: the first one, which hashes all files, and those of unchanged files, beside find(1),
// which reads the same sizes, times and inodes. bench_library [FILES...]: 100,000 and 1,000,000 without
// arguments. The files, of a few bytes, are in a temporary folder, 100 in each subfolder; one of ten is a
// model. No assets are made of them: a scan of unchanged files looks at none.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

#include "loaders/base/parse_whole.hpp"
#include "server/services/libraries/library_scan.hpp"
#include "server/services/libraries/library_scanner.hpp"

namespace vitrine::server {
namespace {

namespace fs = std::filesystem;
using BenchClock = std::chrono::steady_clock;

double seconds_since(BenchClock::time_point begin)
{
    return std::chrono::duration<double>(BenchClock::now() - begin).count();
}

void write_small_file(const fs::path& path, std::size_t number)
{
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const auto text = std::to_string(number);
    const timespec old[2]{{.tv_sec = 1'700'000'000, .tv_nsec = 0}, {.tv_sec = 1'700'000'000, .tv_nsec = 1}};
    if (file < 0 || ::write(file, text.data(), text.size()) < 0 || ::futimens(file, old) != 0)
        throw std::runtime_error("cannot write " + path.native());
    ::close(file);
}

void write_files(const fs::path& folder, std::size_t files)
{
    constexpr std::size_t files_of_folder = 100;
    for (std::size_t i = 0; i < files; ++i) {
        const auto below = folder / fmt::format("part {}", i / files_of_folder / 100) /
                           fmt::format("asset {}", i / files_of_folder);
        if (i % files_of_folder == 0) fs::create_directories(below);
        write_small_file(below / fmt::format("file {}.{}", i, i % 10 == 0 ? "obj" : "png"), i);
    }
}

double time_find(const fs::path& folder)
{
    const auto command =
        fmt::format("find '{}' -type f -printf '%s %T@ %i %p\\n' >/dev/null", folder.native());
    const auto begin = BenchClock::now();
    if (std::system(command.c_str()) != 0) throw std::runtime_error("find failed");
    return seconds_since(begin);
}

class LibraryBench {
public:
    explicit LibraryBench(const fs::path& folder, std::size_t files)
        : root_(fs::canonical(folder) / "files"), catalog_(folder / "catalog.sqlite"),
          blobs_(make_file_blob_store(folder / "data")), ingest_(catalog_, *blobs_, {}, folder, {}),
          scanner_(catalog_, ingest_, *blobs_, {.roots = {root_}}), files_(files)
    {
    }

    void run()
    {
        write_files(root_, files_);
        const auto made = scanner_.table().create({.name = "bench", .path = root_}).value();
        const LibraryIndex index(catalog_.connections(), made.id);
        const auto begin = BenchClock::now();
        const auto found = scan_files(made, index, [](std::int64_t) { return true; });
        const auto first = seconds_since(begin);
        for (auto page = index.pending(10'000); !page.empty(); page = index.pending(10'000))
            index.settle(page);
        fmt::print("{} files: first scan {:.2f} s ({} hashed)\n", files_, first, found.hashed);
        for (int round = 0; round < 3; ++round)
            rescan(made.id);
    }

private:
    void rescan(const std::string& library)
    {
        if (!scanner_.table().request_scan(library)) throw std::runtime_error("no library");
        const auto begin = BenchClock::now();
        scanner_.scan_next();
        const auto scan = seconds_since(begin);
        const auto state = scanner_.table().find(library).value();
        if (state.state != LibraryState::ready || state.files != static_cast<std::int64_t>(files_))
            throw std::runtime_error("the scan has found something else");
        fmt::print("{} files: unchanged {:.2f} s; find {:.2f} s\n", files_, scan, time_find(root_));
        std::fflush(stdout);
    }

    const fs::path root_;
    Catalog catalog_;
    std::unique_ptr<BlobStore> blobs_;
    Ingest ingest_;
    LibraryScanner scanner_;
    const std::size_t files_;
};

} // namespace
} // namespace vitrine::server

int main(int argc, char** argv)
{
    std::vector<std::size_t> counts;
    for (int i = 1; i < argc; ++i)
        counts.push_back(vitrine::parse_whole<std::size_t>(argv[i]).value_or(0));
    if (counts.empty()) counts = {100'000, 1'000'000};
    try {
        for (const auto files : counts) {
            const vitrine::server::TemporaryFolder folder(std::filesystem::temp_directory_path());
            vitrine::server::LibraryBench(folder.path(), files).run();
        }
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench_library: {}\n", error.what());
        return 1;
    }
    return 0;
}
