#include "server/util/free_memory.hpp"

#include <utility>

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

namespace vitrine::server {

std::uint64_t bytes_faulted_in()
{
    rusage usage{};
    if (::getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    return static_cast<std::uint64_t>(usage.ru_minflt) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void trim_free_memory()
{
    ::malloc_trim(0);
}

FreeMemoryTrimmer::FreeMemoryTrimmer(Options options)
    : options_(std::move(options)), thread_([this](const std::stop_token& stop) { work(stop); })
{
}

void FreeMemoryTrimmer::work(const std::stop_token& stop)
{
    auto before = options_.faulted_in();
    std::unique_lock lock(mutex_);
    while (!stopped_.wait_for(lock, stop, options_.pause, [&] { return stop.stop_requested(); })) {
        const auto now = options_.faulted_in();
        if (now - before < options_.threshold_bytes) continue;
        options_.trim();
        before = now;
    }
}

} // namespace vitrine::server
