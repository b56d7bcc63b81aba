#include "loaders/worker/child/sandbox.hpp"

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <system_error>

#include <sys/prctl.h>
#include <sys/resource.h>

#include "loaders/worker/protocol/sanitizers.hpp"

namespace vitrine::worker {
namespace {

constexpr rlim_t descriptor_count = 64;

void require(int result, const char* what)
{
    if (result != 0) throw std::system_error(errno, std::generic_category(), what);
}

void limit(__rlimit_resource resource, rlim_t soft, rlim_t hard, const char* name)
{
    const rlimit value{soft, hard};
    require(setrlimit(resource, &value), name);
}

void limit(__rlimit_resource resource, rlim_t value, const char* name)
{
    limit(resource, value, value, name);
}

// libzip uses local time, for which the C library would check /etc/localtime on each call. With an explicit
// zone it reads it now only.
void preload_time_zone()
{
    ::setenv("TZ", "UTC0", 1); // NOLINT(concurrency-mt-unsafe): one thread
    ::tzset();
}

} // namespace

void disable_core_dumps()
{
    require(prctl(PR_SET_PDEATHSIG, SIGKILL), "PR_SET_PDEATHSIG");
    require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "PR_SET_NO_NEW_PRIVS");
    if (!sanitized) require(prctl(PR_SET_DUMPABLE, 0), "PR_SET_DUMPABLE"); // LeakSanitizer traces itself
}

LoadResult<void> confine(const LoaderJob& job, int result)
{
    if (!sanitized) limit(RLIMIT_AS, job.memory_bytes, "RLIMIT_AS");
    // SIGXCPU at the soft limit identifies the cause; SIGKILL follows if the process continues.
    limit(RLIMIT_CPU, job.cpu_seconds, job.cpu_seconds + 1, "RLIMIT_CPU");
    limit(RLIMIT_FSIZE, job.result_bytes, "RLIMIT_FSIZE");
    limit(RLIMIT_NOFILE, descriptor_count, "RLIMIT_NOFILE");
    limit(RLIMIT_CORE, 0, "RLIMIT_CORE");
    preload_time_zone();
    if (install_syscall_filter(result) || job.filter == FilterRequirement::if_possible) return {};
    return fail(LoadErrc::internal, {},
                "this kernel has no system call filter (seccomp) for the loader process; "
                "VITRINE_LOADER_FILTER=if-possible starts it without a filter");
}

} // namespace vitrine::worker
