#pragma once
// Reads processes from /proc.

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include <sys/types.h>

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
    for (int i = 0; i < 500; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(10)))
        if (is_gone(pid)) return true;
    return false;
}

// Returns 0 without a child.
inline pid_t child_of(pid_t parent)
{
    const std::string id = std::to_string(parent);
    pid_t child = 0;
    std::ifstream("/proc/" + id + "/task/" + id + "/children") >> child;
    return child;
}

// Returns 0 if there was no child for five seconds.
inline pid_t await_child(pid_t parent)
{
    for (int i = 0; i < 500; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(10)))
        if (const pid_t child = child_of(parent); child != 0) return child;
    return 0;
}

} // namespace vitrine::test
