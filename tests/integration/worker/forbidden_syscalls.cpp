// One system call per extension, made as an exploit would.

#include <csignal>
#include <string>

#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "loaders/worker/protocol/process.hpp"
#include "tests/integration/worker/faults.hpp"

namespace vitrine::worker {
namespace {

using Loaded = LoadResult<scene::Scene>;

template <class... Arguments>
Loaded make(long number, Arguments... arguments)
{
    const long result = ::syscall(number, arguments...);
    return fail(LoadErrc::empty, {}, "done " + std::to_string(result));
}

Loaded open_a_file(Source&, const Limits&)
{
    return make(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY);
}

Loaded create_a_file(Source&, const Limits&)
{
    return make(SYS_openat, AT_FDCWD, "/tmp/vitrine-loader-was-here", O_WRONLY | O_CREAT, 0600);
}

Loaded remove_a_file(Source&, const Limits&)
{
    return make(SYS_unlinkat, AT_FDCWD, "/tmp/vitrine-loader-was-here", 0);
}

Loaded make_a_socket(Source&, const Limits&)
{
    return make(SYS_socket, AF_INET, SOCK_STREAM, 0);
}

Loaded connect_its_socket(Source&, const Limits&)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(80);
    return make(SYS_connect, child_socket, &address, sizeof address);
}

Loaded fork_off(Source&, const Limits&)
{
    return make(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr);
}

Loaded start_a_thread(Source&, const Limits&)
{
    return make(SYS_clone, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, nullptr, nullptr, nullptr, nullptr);
}

Loaded run_a_program(Source&, const Limits&)
{
    static const char* const arguments[] = {"/bin/true", nullptr};
    return make(SYS_execve, arguments[0], arguments, nullptr);
}

Loaded trace_its_parent(Source&, const Limits&)
{
    return make(SYS_ptrace, 16 /* PTRACE_ATTACH */, 1, nullptr, nullptr);
}

Loaded signal_all(Source&, const Limits&)
{
    return make(SYS_kill, -1, 0);
}

Loaded signal_another(Source&, const Limits&)
{
    return make(SYS_tgkill, 1, 1, 0);
}

Loaded map_executable(Source&, const Limits&)
{
    return make(SYS_mmap, nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                0);
}

Loaded protect_executable(Source&, const Limits&)
{
    static char page[8192];
    const auto at = (reinterpret_cast<std::uintptr_t>(page) + 4095) & ~std::uintptr_t{4095};
    return make(SYS_mprotect, at, 4096, PROT_READ | PROT_EXEC);
}

Loaded write_elsewhere(Source&, const Limits&)
{
    return make(SYS_write, child_socket, "x", 1);
}

Loaded resize_the_result(Source&, const Limits&)
{
    return make(SYS_ftruncate, result_descriptor, std::uint64_t{1} << 40);
}

Loaded copy_a_descriptor(Source&, const Limits&)
{
    return make(SYS_dup, child_socket);
}

Loaded raise_its_limits(Source&, const Limits&)
{
    const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
    return make(SYS_prlimit64, 0, RLIMIT_CPU, &none, nullptr);
}

Loaded keep_its_signals(Source&, const Limits&)
{
    ::signal(SIGXCPU, SIG_IGN);
    return fail(LoadErrc::empty, {}, "done");
}

Loaded outlive_its_parent(Source&, const Limits&)
{
    return make(SYS_prctl, PR_SET_PDEATHSIG, 0, 0, 0, 0);
}

Loaded enter_a_ring(Source&, const Limits&)
{
    return make(SYS_io_uring_setup, 8, nullptr);
}

constexpr std::array syscall_descriptions{
    Fault{{".open"}, open_a_file},
    Fault{{".create"}, create_a_file},
    Fault{{".remove"}, remove_a_file},
    Fault{{".socket"}, make_a_socket},
    Fault{{".connect"}, connect_its_socket},
    Fault{{".fork"}, fork_off},
    Fault{{".thread"}, start_a_thread},
    Fault{{".exec"}, run_a_program},
    Fault{{".trace"}, trace_its_parent},
    Fault{{".kill"}, signal_all},
    Fault{{".tgkill"}, signal_another},
    Fault{{".mapx"}, map_executable},
    Fault{{".protectx"}, protect_executable},
    Fault{{".elsewhere"}, write_elsewhere},
    Fault{{".resize"}, resize_the_result},
    Fault{{".dup"}, copy_a_descriptor},
    Fault{{".limits"}, raise_its_limits},
    Fault{{".signals"}, keep_its_signals},
    Fault{{".outlive"}, outlive_its_parent},
    Fault{{".ring"}, enter_a_ring},
};

} // namespace

std::span<const Fault> forbidden_syscalls()
{
    return syscall_descriptions;
}

} // namespace vitrine::worker
