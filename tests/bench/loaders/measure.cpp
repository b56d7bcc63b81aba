#include "tests/bench/loaders/measure.hpp"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <stdexcept>

#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace vitrine::bench {
namespace {

// Of this process only, independent of other load.
double cpu_seconds()
{
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::uint64_t resident_bytes()
{
    std::uint64_t all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

Figures measure_here(int runs, const std::function<Read()>& read)
{
    Figures figures{.seconds = 1e9};
    const auto before = resident_bytes();
    for (int i = 0; i < runs; ++i) {
        const double start = cpu_seconds();
        const auto got = read();
        figures.seconds = std::min(figures.seconds, cpu_seconds() - start);
        figures.triangles = got.triangles;
        figures.content_bytes = got.content_bytes;
        if (i > 0) continue; // later runs use a heap that the first one has fragmented
        rusage usage{};
        ::getrusage(RUSAGE_SELF, &usage);
        const auto peak = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
        figures.peak_bytes = peak > before ? peak - before : 0;
    }
    return figures;
}

} // namespace

Figures measure(int runs, const std::function<Read()>& read)
{
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("pipe");
    ::malloc_trim(0); // memory freed by the generators would otherwise count as the reader's
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("fork");
    if (child == 0) {
        const auto figures = measure_here(runs, read);
        const bool written = ::write(ends[1], &figures, sizeof figures) == sizeof figures;
        ::_exit(written ? 0 : 1);
    }
    ::close(ends[1]);
    Figures figures;
    if (::read(ends[0], &figures, sizeof figures) != sizeof figures) figures = {};
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return figures;
}

} // namespace vitrine::bench
