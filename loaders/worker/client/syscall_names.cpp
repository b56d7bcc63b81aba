#include "loaders/worker/client/syscall_names.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "loaders/worker/client/client.hpp"

namespace vitrine::worker {
namespace {

struct SyscallAttempt {
    std::string_view words;
    std::string_view calls; // each surrounded by spaces
};

constexpr auto syscall_descriptions = std::to_array<SyscallAttempt>({
    {"open a file by name", " open openat openat2 creat "},
    {"make a socket", " socket socketpair "},
    {"use the network", " connect bind listen accept accept4 sendto recvfrom setsockopt "},
    {"start a process or a thread", " fork vfork clone clone3 "},
    {"run another program", " execve execveat "},
    {"read another process's memory", " ptrace process_vm_readv process_vm_writev pidfd_getfd "},
    {"signal a process", " kill tkill tgkill pidfd_send_signal "},
    {"make memory executable", " mmap mprotect pkey_mprotect "},
    {"use a descriptor in a way it was not given for",
     " read write pread64 pwrite64 readv writev sendmsg recvmsg sendfile ftruncate fallocate "},
    {"copy a descriptor", " dup dup2 dup3 fcntl "},
    {"make a file in memory", " memfd_create "},
    {"change the file system",
     " truncate unlink unlinkat rename renameat renameat2 mkdir mkdirat rmdir link linkat symlink symlinkat "
     "chmod fchmod fchmodat chown fchown fchownat mount umount2 "},
    {"read file metadata",
     " stat lstat statx access faccessat faccessat2 readlink readlinkat getdents64 chdir "},
    {"change its limits or rights", " setrlimit prlimit64 prctl setuid capset unshare setns "},
    {"change what its signals do", " rt_sigaction "},
    {"wait", " pause nanosleep clock_nanosleep poll ppoll select pselect6 epoll_create1 "},
    {"use a kernel interface", " bpf io_uring_setup perf_event_open keyctl userfaultfd "},
});

// Empty if the number is not a system call.
std::string name_of(std::uint64_t number)
{
    if (number > 100'000) return {};
    const std::unique_ptr<char, decltype([](char* text) { std::free(text); })> name(
        seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, static_cast<int>(number)));
    return name ? name.get() : std::string();
}

} // namespace

std::string describe_syscall(std::uint64_t number)
{
    const auto name = name_of(number);
    if (name.empty()) return "make system call " + std::to_string(number);
    const auto holds = [&](const SyscallAttempt& description) {
        return description.calls.contains(" " + name + " ");
    };
    const auto* found = std::ranges::find_if(syscall_descriptions, holds);
    if (found == syscall_descriptions.end()) return "make the system call " + name;
    return std::string(found->words) + " (" + name + ")";
}

bool kernel_supports_seccomp()
{
    const std::uint32_t action = SECCOMP_RET_TRAP;
    return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

} // namespace vitrine::worker
