#include "loaders/worker/protocol/process.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "loaders/worker/protocol/sanitizers.hpp"

namespace vitrine::worker {
namespace {

// The two argument objects of posix_spawn.
struct SpawnPlan {
    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};

    SpawnPlan()
    {
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    ~SpawnPlan()
    {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
};

// closefrom also closes descriptors that other threads and libraries opened without close-on-exec.
void plan_descriptors(SpawnPlan& plan, int channel, bool inherits_stderr)
{
    auto* actions = &plan.actions;
    posix_spawn_file_actions_adddup2(actions, channel, child_socket);
    posix_spawn_file_actions_addclosefrom_np(actions, child_socket + 1);
    posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0);
    if (!sanitized && !inherits_stderr)
        posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0);
}

void plan_attributes(SpawnPlan& plan)
{
    sigset_t none_blocked, all;
    sigemptyset(&none_blocked);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&plan.attributes, &none_blocked);
    posix_spawnattr_setsigdefault(&plan.attributes, &all);
    posix_spawnattr_setpgroup(&plan.attributes, 0);
    posix_spawnattr_setflags(&plan.attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

// <sys/pidfd.h> of Debian 12 cannot be included in C++.
int open_pidfd(pid_t pid)
{
    return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
}

std::string signal_name(int signal)
{
    const char* abbreviation = sigabbrev_np(signal);
    return abbreviation != nullptr ? std::string("SIG") + abbreviation : "signal " + std::to_string(signal);
}

std::unexpected<LoadError> cannot_start(const ProcessStart& start, int error)
{
    return fail(LoadErrc::internal, {},
                "cannot start the " + start.kind + " " + start.program.string() + ": " +
                    std::generic_category().message(error));
}

} // namespace

int milliseconds_until(Deadline deadline)
{
    using namespace std::chrono;
    const auto left = ceil<milliseconds>(deadline - steady_clock::now()).count();
    return static_cast<int>(std::clamp<milliseconds::rep>(left, 0, 1'000'000'000));
}

LoadResult<ChildProcess> ChildProcess::start(const ProcessStart& start, FileDescriptor channel)
{
    SpawnPlan plan;
    plan_descriptors(plan, channel.get(), start.inherits_stderr);
    plan_attributes(plan);
    auto words = start.arguments;
    words.insert(words.begin(), start.program.string());
    std::vector<char*> arguments;
    for (auto& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t pid = -1;
    const int error = posix_spawn(&pid, start.program.c_str(), &plan.actions, &plan.attributes,
                                  arguments.data(), start.environment.data());
    if (error != 0) return cannot_start(start, error);
    ChildProcess process(pid, FileDescriptor(open_pidfd(pid)));
    if (!process.pidfd_.valid()) return cannot_start(start, errno);
    return process;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), pidfd_(std::move(other.pidfd_))
{
}

ChildProcess::~ChildProcess()
{
    if (pid_ < 0) return;
    kill();
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void ChildProcess::finish(Deadline deadline)
{
    if (instrumented) wait(deadline);
    kill();
}

void ChildProcess::kill()
{
    if (pid_ < 0) return;
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
}

std::optional<int> ChildProcess::kill_until(Deadline deadline)
{
    if (pid_ < 0) return std::nullopt;
    kill();
    const auto status = wait(deadline);
    pid_ = -1;
    return status;
}

std::optional<int> ChildProcess::wait(Deadline deadline)
{
    pollfd ended{pidfd_.get(), POLLIN, 0};
    int count = 0;
    do
        count = ::poll(&ended, 1, milliseconds_until(deadline));
    while (count < 0 && errno == EINTR);
    if (count <= 0) return std::nullopt;
    int status = 0;
    ::kill(-pid_, SIGKILL); // also kills processes it started; the group exists as long as the zombie
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
}

LoadError describe_exit(int wait_status)
{
    if (!WIFSIGNALED(wait_status))
        return {LoadErrc::crashed,
                {},
                "the loader process ended with status " + std::to_string(WEXITSTATUS(wait_status)) +
                    " without a reply"};
    switch (const int signal = WTERMSIG(wait_status)) {
    case SIGXCPU: return {LoadErrc::timed_out, {}, "the loader process exceeded its CPU time limit"};
    case SIGKILL:
        return {LoadErrc::killed,
                {},
                "the loader process was killed from outside; the machine may be out of memory"};
    case SIGSYS: return {LoadErrc::crashed, {}, "the loader process made a forbidden system call"};
    case SIGXFSZ: return {LoadErrc::out_of_memory, {}, "the loader process exceeded its write limit"};
    default: return {LoadErrc::crashed, {}, "the loader process was terminated by " + signal_name(signal)};
    }
}

} // namespace vitrine::worker
