#pragma once
// Runs a command and measures it with the processes that it starts.

#include <cstdint>
#include <string>
#include <vector>

namespace vitrine::bench {

struct CommandTime {
    double wall_ms = 0.0;
    double processor_ms = 0.0; // user and system time of the command and its children
    bool succeeded = false;
};

// Standard output and error are discarded.
CommandTime time_command(const std::vector<std::string>& command);

struct CommandMemory {
    // Largest sum of the anonymous memory of the command and its children and of the memory file that they
    // share, as seen every 0.2 ms. Pages of mapped files on disk are not counted.
    std::uint64_t peak_bytes = 0;
    std::uint64_t result_bytes = 0; // size of the memory file "vitrine scene"; 0: none
    bool succeeded = false;
};

// Reads /proc during the run, which takes longer because of it.
CommandMemory watch_memory(const std::vector<std::string>& command);

} // namespace vitrine::bench
