#pragma once
// The parent's hold on one loader process: started, awaited until a deadline, killed and reaped whatever
// happens.

#include <chrono>
#include <filesystem>
#include <optional>

#include <sys/types.h>

#include "loaders/base/error.hpp"
#include "loaders/worker/protocol/descriptor.hpp"

namespace vitrine::worker {

using Deadline = std::chrono::steady_clock::time_point;

inline constexpr int child_socket = 3; // where the loader process finds its end of the channel

// Milliseconds from now, for poll(); 0 when it has passed.
int milliseconds_until(Deadline deadline);

class LoaderProcess {
public:
    // Starts `program` in a process group of its own with an empty environment, its signals at their
    // defaults, /dev/null as standard streams, `channel` as descriptor 3 and no descriptor else.
    static LoadResult<LoaderProcess> start(const std::filesystem::path& program, Descriptor channel);

    LoaderProcess(LoaderProcess&& other) noexcept;
    LoaderProcess& operator=(LoaderProcess&&) = delete;
    ~LoaderProcess(); // kills it and its group, and reaps it

    // Readable once the process has ended.
    int descriptor() const { return pidfd_.get(); }
    pid_t id() const { return pid_; }
    // Its wait status, once it has ended by itself; kills nothing. Empty optional when the deadline came
    // first.
    std::optional<int> wait(Deadline deadline);

private:
    LoaderProcess(pid_t pid, Descriptor pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}

    pid_t pid_ = -1; // -1 once reaped
    Descriptor pidfd_;
};

// What a wait status without an answer means.
LoadError describe_exit(int wait_status);

} // namespace vitrine::worker
