// Restrictions of the loader process: forbidden calls are made inside it, and limits are read from outside.

#include <fstream>
#include <map>
#include <thread>

#include <sys/wait.h>

#include <gmock/gmock.h>
#include <seccomp.h>

#include "loaders/worker/client/syscall_names.hpp"
#include "loaders/worker/protocol/sanitizers.hpp"
#include "tests/integration/worker/loader_fixture.hpp"
#include "tests/integration/worker/processes.hpp"

using namespace std::chrono_literals;
using namespace vitrine;
using testing::HasSubstr;

namespace {

struct SyscallAttempt {
    const char* file;
    const char* description;
    bool sanitized_too = false; // also blocked in builds with sanitizers
};

// For test names in ctest.
void PrintTo(const SyscallAttempt& attempt, std::ostream* out)
{
    *out << attempt.file;
}

class WorkerConfined : public test::LoaderTest, public testing::WithParamInterface<SyscallAttempt> {};
using WorkerLimits = test::LoaderTest;

// Returns the "Name:\tvalue" lines of /proc/PID/status.
std::map<std::string, std::string> status_of(pid_t pid)
{
    std::map<std::string, std::string> lines;
    std::ifstream file("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(file, line);)
        if (const auto colon = line.find(":\t"); colon != line.npos)
            lines[line.substr(0, colon)] = line.substr(colon + 2);
    return lines;
}

std::string limits_of(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/limits");
    std::string text, word;
    while (file >> word)
        text += word + " ";
    return text;
}

// After this call the kernel appears to have no filters for this process and its children.
void forget_filters()
{
    const auto context = seccomp_init(SCMP_ACT_ALLOW);
    const auto no = SCMP_ACT_ERRNO(EINVAL);
    seccomp_rule_add(context, no, SCMP_SYS(seccomp), 0);
    const scmp_arg_cmp filter{0, SCMP_CMP_EQ, 22 /* PR_SET_SECCOMP */, 0};
    seccomp_rule_add_array(context, no, SCMP_SYS(prctl), 1, &filter);
    if (seccomp_load(context) != 0) ::_exit(100);
}

} // namespace

TEST_P(WorkerConfined, ForbiddenCallIsBlockedAndNamed)
{
    const auto& attempt = GetParam();
    if (worker::instrumented && !attempt.sanitized_too) GTEST_SKIP() << "allowed in instrumented builds";
    const auto error = error_of(attempt.file);
    EXPECT_EQ(to_string(error.code), "crashed");
    EXPECT_EQ(error.detail, std::string("the loader process was stopped because it tried to ") +
                                attempt.description + ", which is forbidden");
    options_.deadline = 20s;
    EXPECT_TRUE(load("after.good").has_value()) << "the next load";
}

INSTANTIATE_TEST_SUITE_P(
    Syscalls, WorkerConfined,
    testing::Values(SyscallAttempt{"a.open", "open a file by name (openat)"},
                    SyscallAttempt{"a.create", "open a file by name (openat)"},
                    SyscallAttempt{"a.remove", "change the file system (unlinkat)", true},
                    SyscallAttempt{"a.socket", "make a socket (socket)", true},
                    SyscallAttempt{"a.connect", "use the network (connect)", true},
                    SyscallAttempt{"a.fork", "start a process or a thread (clone)"},
                    SyscallAttempt{"a.thread", "start a process or a thread (clone)"},
                    SyscallAttempt{"a.exec", "run another program (execve)"},
                    SyscallAttempt{"a.trace", "read another process's memory (ptrace)"},
                    SyscallAttempt{"a.kill", "signal a process (kill)", true},
                    SyscallAttempt{"a.tgkill", "signal a process (tgkill)"},
                    SyscallAttempt{"a.mapx", "make memory executable (mmap)"},
                    SyscallAttempt{"a.protectx", "make memory executable (mprotect)"},
                    SyscallAttempt{"a.elsewhere", "use a descriptor in a way it was not given for (write)"},
                    SyscallAttempt{"a.resize", "use a descriptor in a way it was not given for (ftruncate)"},
                    SyscallAttempt{"a.dup", "copy a descriptor (dup)"},
                    SyscallAttempt{"a.limits", "change its limits or rights (prlimit64)"},
                    SyscallAttempt{"a.signals", "change what its signals do (rt_sigaction)"},
                    SyscallAttempt{"a.outlive", "change its limits or rights (prctl)"},
                    SyscallAttempt{"a.ring", "use a kernel interface (io_uring_setup)", true}),
    [](const auto& info) { return std::string(info.param.file).substr(2); });

TEST_F(WorkerLimits, AreReadFromOutside)
{
    options_.memory_bytes = 512 << 20;
    options_.deadline = 20s;
    std::stop_source stop;
    options_.stop = stop.get_token();
    std::map<std::string, std::string> status;
    std::string limits;
    std::jthread watcher([&] {
        const pid_t loader = test::await_child(::getpid());
        test::eventually([&] {
            status = status_of(loader);
            return status["Seccomp"] == "2";
        });
        limits = limits_of(loader);
        stop.request_stop();
    });
    EXPECT_THAT(error_of("a.hang").detail, HasSubstr("was stopped"));
    watcher.join();
    EXPECT_EQ(status["Seccomp"], "2");
    EXPECT_EQ(status["NoNewPrivs"], "1");
    EXPECT_THAT(limits, HasSubstr("Max core file size 0 0 "));
    EXPECT_THAT(limits, HasSubstr("Max open files 64 64 "));
    EXPECT_THAT(limits, HasSubstr("Max file size 536870912 536870912 "));
    EXPECT_THAT(limits, HasSubstr("Max cpu time 41 42 "));
    if (!worker::sanitized) EXPECT_THAT(limits, HasSubstr("Max address space 536870912 536870912 "));
}

// Runs in a child, because filters cannot be removed. Exit codes: result of load_scene.
TEST_F(WorkerLimits, KernelWithoutFiltersIsRejectedUnlessAllowed)
{
    if (worker::sanitized) GTEST_SKIP() << "forks a process with sanitizers";
    const auto file = write("bar.good", "x");
    const pid_t child = ::fork();
    if (child == 0) {
        forget_filters();
        const auto rejected = worker::load_scene({file}, "bar.good", options_);
        const bool reported = !rejected && rejected.error().code == LoadErrc::internal &&
                              rejected.error().detail.contains("VITRINE_LOADER_FILTER");
        options_.filter = worker::FilterRequirement::if_possible;
        const bool loaded = worker::load_scene({file}, "bar.good", options_).has_value();
        ::_exit(!worker::kernel_supports_seccomp() && reported && loaded ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(worker::kernel_supports_seccomp());
}

TEST(Syscalls, HaveDescriptions)
{
    EXPECT_EQ(worker::describe_syscall(999), "make system call 999");
    EXPECT_EQ(worker::describe_syscall(~0ull), "make system call 18446744073709551615");
    EXPECT_EQ(worker::describe_syscall(SCMP_SYS(swapon)), "make the system call swapon");
}
