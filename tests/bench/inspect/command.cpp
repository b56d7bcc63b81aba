#include "tests/bench/inspect/command.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/inspect/quiet_process.hpp"

namespace vitrine::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Lines of /proc/PID/status look like "RssAnon:     1234 kB".
std::uint64_t anonymous_memory(pid_t pid)
{
    std::ifstream status(fmt::format("/proc/{}/status", pid));
    std::uint64_t kib = 0;
    for (std::string word; status >> word;)
        if (word == "RssAnon:" && status >> kib) return kib * 1024;
    return 0;
}

std::vector<pid_t> children_of(pid_t pid)
{
    std::ifstream list(fmt::format("/proc/{0}/task/{0}/children", pid));
    std::vector<pid_t> out;
    for (pid_t child = 0; list >> child;)
        out.push_back(child);
    return out;
}

// The memory file through which the loader process returns its result; it is counted whether mapped or not.
struct ResultFile {
    std::uint64_t size_bytes = 0;
    std::uint64_t memory_bytes = 0;
};

ResultFile find_result(pid_t pid)
{
    ResultFile out;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(fmt::format("/proc/{}/fd", pid), error)) {
        struct stat found{};
        const auto target = fs::read_symlink(entry.path(), error).string();
        if (target.starts_with("/memfd:vitrine scene") && ::stat(entry.path().c_str(), &found) == 0)
            out = {static_cast<std::uint64_t>(found.st_size),
                   static_cast<std::uint64_t>(found.st_blocks) * 512};
    }
    return out;
}

} // namespace

CommandTime time_command(const std::vector<std::string>& command)
{
    const auto from = Clock::now();
    const pid_t pid = start_quietly(command);
    int status = -1;
    rusage used{};
    CommandTime out;
    out.succeeded = pid > 0 && ::wait4(pid, &status, 0, &used) == pid && status == 0;
    out.wall_ms = std::chrono::duration<double, std::milli>(Clock::now() - from).count();
    out.processor_ms = milliseconds(used.ru_utime) + milliseconds(used.ru_stime);
    return out;
}

CommandMemory watch_memory(const std::vector<std::string>& command)
{
    CommandMemory out;
    const pid_t pid = start_quietly(command);
    if (pid <= 0) return out;
    int status = -1;
    std::uint64_t result_memory = 0; // kept: a mapping outlives the descriptor
    while (::waitpid(pid, &status, WNOHANG) == 0) {
        const auto result = find_result(pid);
        result_memory = std::max(result_memory, result.memory_bytes);
        out.result_bytes = std::max(out.result_bytes, result.size_bytes);
        std::uint64_t memory = result_memory + anonymous_memory(pid);
        for (const pid_t child : children_of(pid))
            memory += anonymous_memory(child);
        out.peak_bytes = std::max(out.peak_bytes, memory);
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    out.succeeded = status == 0;
    return out;
}

} // namespace vitrine::bench
