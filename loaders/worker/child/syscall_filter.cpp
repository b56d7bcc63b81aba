#include "loaders/worker/child/sandbox.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <utility>

#include <seccomp.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loaders/worker/protocol/process.hpp"
#include "loaders/worker/protocol/protocol.hpp"
#include "loaders/worker/protocol/sanitizers.hpp"

namespace vitrine::worker {
namespace {

using SeccompContext = std::unique_ptr<void, decltype([](void* context) { seccomp_release(context); })>;

class SeccompFilter {
public:
    explicit SeccompFilter(std::uint32_t otherwise) : context_(seccomp_init(otherwise))
    {
        if (!context_) throw std::system_error(ENOMEM, std::generic_category(), "seccomp_init");
        require(seccomp_attr_set(context_.get(), SCMP_FLTATR_API_SYSRAWRC, 1)); // load() returns errno
    }

    template <class... Conditions>
    void add(std::uint32_t action, int call, Conditions... conditions)
    {
        const std::array<scmp_arg_cmp, sizeof...(conditions)> all{conditions...};
        require(seccomp_rule_add_array(context_.get(), action, call, sizeof...(conditions), all.data()));
    }
    // Returns false if the kernel has no filters or denies one to this process.
    bool load()
    {
        const int result = seccomp_load(context_.get());
        if (result == -ENOMEM) require(result);
        return result == 0;
    }

private:
    static void require(int result)
    {
        if (result != 0) throw std::system_error(-result, std::generic_category(), "the system call filter");
    }

    SeccompContext context_;
};

scmp_arg_cmp is(unsigned argument, scmp_datum_t value)
{
    return {argument, SCMP_CMP_EQ, value, 0};
}

scmp_arg_cmp lacks(unsigned argument, scmp_datum_t bits)
{
    return {argument, SCMP_CMP_MASKED_EQ, bits, 0};
}

// Calls needed by a parser, the C++ library and a regular exit.
constexpr std::array calls_always_allowed = {
    SCMP_SYS(munmap),          SCMP_SYS(mremap),       SCMP_SYS(brk),
    SCMP_SYS(madvise),         SCMP_SYS(futex),        SCMP_SYS(sched_yield),
    SCMP_SYS(getrandom),       SCMP_SYS(sysinfo),      SCMP_SYS(clock_gettime),
    SCMP_SYS(gettimeofday),    SCMP_SYS(close),        SCMP_SYS(getpid),
    SCMP_SYS(gettid),          SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(restart_syscall), SCMP_SYS(exit),         SCMP_SYS(exit_group)};

// Calls that the C library makes when it first writes to a stream, as in abort() and assert(); it continues
// without a result. clone3 is denied so that it tries clone, which the parent reports by name.
constexpr std::array<std::pair<int, int>, 5> denied_with_errno = {{{SCMP_SYS(newfstatat), EACCES},
                                                                   {SCMP_SYS(fstat), EACCES},
                                                                   {SCMP_SYS(ioctl), ENOTTY},
                                                                   {SCMP_SYS(lseek), ESPIPE},
                                                                   {SCMP_SYS(clone3), ENOSYS}}};

SeccompFilter allow_list(int result)
{
    SeccompFilter filter(SCMP_ACT_TRAP);
    for (const int call : calls_always_allowed)
        filter.add(SCMP_ACT_ALLOW, call);
    for (const auto& [call, error] : denied_with_errno)
        filter.add(SCMP_ACT_ERRNO(static_cast<std::uint32_t>(error)), call);
    for (const int call : {SCMP_SYS(mmap), SCMP_SYS(mprotect)})
        filter.add(SCMP_ACT_ALLOW, call, lacks(2, PROT_EXEC));
    for (const int call : {SCMP_SYS(sendmsg), SCMP_SYS(recvmsg)})
        filter.add(SCMP_ACT_ALLOW, call, is(0, child_socket));
    for (const int written : {STDOUT_FILENO, STDERR_FILENO, result}) // the first two are /dev/null
        filter.add(SCMP_ACT_ALLOW, SCMP_SYS(write), is(0, static_cast<scmp_datum_t>(written)));
    filter.add(SCMP_ACT_ALLOW, SCMP_SYS(tgkill), is(0, static_cast<scmp_datum_t>(::getpid()))); // abort()
    return filter;
}

// Sanitizers and coverage open and write files, start a symbolizer and trace their own process. Their builds
// forbid only calls that affect other processes and files.
SeccompFilter deny_list()
{
    SeccompFilter filter(SCMP_ACT_ALLOW);
    for (const int call :
         {SCMP_SYS(socket), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(unlink),
          SCMP_SYS(unlinkat), SCMP_SYS(kill), SCMP_SYS(mount), SCMP_SYS(bpf), SCMP_SYS(io_uring_setup)})
        filter.add(SCMP_ACT_TRAP, call);
    return filter;
}

// Called instead of the system call. Must not allocate.
void report_and_exit(int, siginfo_t* info, void*)
{
    MessageHead head{static_cast<std::uint64_t>(MessageType::forbidden),
                     static_cast<std::uint64_t>(info->si_syscall)};
    iovec part{&head, sizeof head};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    ::sendmsg(child_socket, &header, MSG_NOSIGNAL);
    ::_exit(EXIT_FAILURE);
}

} // namespace

bool install_syscall_filter(int result)
{
    struct sigaction action{};
    action.sa_sigaction = report_and_exit;
    action.sa_flags = SA_SIGINFO;
    if (::sigaction(SIGSYS, &action, nullptr) != 0)
        throw std::system_error(errno, std::generic_category(), "SIGSYS");
    return (instrumented ? deny_list() : allow_list(result)).load();
}

} // namespace vitrine::worker
