#pragma once
// A process whose output is discarded.

#include <string>
#include <vector>

#include <sys/time.h>
#include <unistd.h>

#include "tests/support/processes/spawn.hpp"

namespace vitrine::bench {

// Starts a program found in PATH; -1: it cannot be started. The caller waits for it.
inline pid_t start_quietly(std::vector<std::string> command)
{
    return test::spawn(std::move(command), {.output = test::discarded, .error = test::discarded});
}

inline double milliseconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

} // namespace vitrine::bench
