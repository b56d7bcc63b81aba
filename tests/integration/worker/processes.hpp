#pragma once
// Reads processes from /proc.

#include <fstream>
#include <string>

#include <sys/types.h>

#include "tests/support/eventually.hpp"

namespace vitrine::test {

// Checks the state letter of /proc/PID/stat; 'Z' and a missing process both count as gone.
inline bool is_gone(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(file, text);
    const auto end_of_name = text.rfind(')');
    return end_of_name == std::string::npos || text.compare(end_of_name + 2, 1, "Z") == 0;
}

inline bool goes_away(pid_t pid)
{
    return eventually([&] { return is_gone(pid); });
}

// Returns 0 without a child.
inline pid_t child_of(pid_t parent)
{
    const std::string id = std::to_string(parent);
    pid_t child = 0;
    std::ifstream("/proc/" + id + "/task/" + id + "/children") >> child;
    return child;
}

// Returns 0 if there is no child in time.
inline pid_t await_child(pid_t parent)
{
    pid_t child = 0;
    eventually([&] { return (child = child_of(parent)) != 0; });
    return child;
}

// Waits until a loader process has received its job: it installs its system call filter then.
inline bool await_confined(pid_t loader)
{
    return eventually([&] {
        std::ifstream file("/proc/" + std::to_string(loader) + "/status");
        for (std::string line; std::getline(file, line);)
            if (line == "Seccomp:\t2") return true;
        return false;
    });
}

} // namespace vitrine::test
