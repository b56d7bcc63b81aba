#pragma once
// A process whose output is discarded.

#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/time.h>
#include <unistd.h>

namespace vitrine::bench {

// Starts a program found in PATH; -1: it cannot be started. The caller waits for it.
inline pid_t start_quietly(std::vector<std::string> command)
{
    std::vector<char*> arguments;
    for (auto& word : command)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    for (const int stream : {1, 2})
        posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_WRONLY, 0);
    pid_t pid = -1;
    const int error = posix_spawnp(&pid, arguments[0], &quiet, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&quiet);
    return error == 0 ? pid : -1;
}

inline double milliseconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

} // namespace vitrine::bench
