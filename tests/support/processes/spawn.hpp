#pragma once
// Child processes of tests. The caller waits for them.

#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

namespace vitrine::test {

inline constexpr int inherited = -1, discarded = -2;

// Descriptors of the caller.
struct ChildStreams {
    int input = inherited;
    int output = inherited; // or discarded
    int error = inherited;  // or discarded
};

// Starts the program words[0], which is searched in PATH if its name has no slash; -1: it cannot be started.
inline pid_t spawn(std::vector<std::string> words, const ChildStreams& streams = {})
{
    std::vector<char*> argv;
    for (auto& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    const int descriptors[]{streams.input, streams.output, streams.error};
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (descriptors[stream] >= 0)
            posix_spawn_file_actions_adddup2(&actions, descriptors[stream], stream);
        else if (descriptors[stream] == discarded)
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
    }
    pid_t pid = -1;
    const int error = ::posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return error == 0 ? pid : -1;
}

} // namespace vitrine::test
