#pragma once
// The parent's handle of a child process, such as a loader process: started, awaited until a deadline, and
// always killed.

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "loaders/base/error.hpp"
#include "loaders/worker/files/file_descriptor.hpp"

namespace vitrine::worker {

using Deadline = std::chrono::steady_clock::time_point;

inline constexpr int child_socket = 3; // the child's end of the channel

// Milliseconds until the deadline, for poll(); 0 if it has passed.
int milliseconds_until(Deadline deadline);

struct ProcessStart {
    std::string kind; // for errors: "loader process"
    std::filesystem::path program;
    std::vector<std::string> arguments{};
    std::vector<char*> environment; // ends with null
    bool inherits_stderr = false;   // otherwise /dev/null, but not with sanitizers
};

class ChildProcess {
public:
    // Starts the program in its own process group with default signal handling, /dev/null as standard
    // streams, `channel` as descriptor 3 and no other descriptor.
    static LoadResult<ChildProcess> start(const ProcessStart& start, FileDescriptor channel);

    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&&) = delete;
    ~ChildProcess(); // kills and reaps the process and its group

    // Readable after the process has ended.
    int descriptor() const { return pidfd_.get(); }
    pid_t id() const { return pid_; }
    // Returns the wait status after the process has ended by itself; does not kill it. Empty optional if the
    // deadline has passed.
    std::optional<int> wait(Deadline deadline);
    // For a process that has replied: kills it and its group and does not wait for its end. Instrumented
    // builds let it end by itself until the deadline: leaks and coverage are reported at the exit, which
    // takes seconds at a low priority.
    void finish(Deadline deadline);
    // Kills the process and its group, and returns its wait status. Empty: it has not ended until the
    // deadline, because it is in a system call that cannot be interrupted; then nobody waits for it any more.
    std::optional<int> kill_until(Deadline deadline);

private:
    void kill();
    ChildProcess(pid_t pid, FileDescriptor pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}

    pid_t pid_ = -1; // -1 once reaped
    FileDescriptor pidfd_;
};

// The error for a wait status of a process that did not reply.
LoadError describe_exit(int wait_status);

} // namespace vitrine::worker
