#include "loaders/worker/client/seal_memory.hpp"

#include <cerrno>
#include <chrono>
#include <thread>

#include <fcntl.h>

namespace vitrine::worker {

bool seal(int memory)
{
    constexpr int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;
    constexpr int max_attempts = 10; // of 1, 2, 4 ... milliseconds: a second
    for (int i = 0; ::fcntl(memory, F_ADD_SEALS, seals) != 0; ++i) {
        if (errno != EBUSY || i == max_attempts) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1 << i));
    }
    return true;
}

} // namespace vitrine::worker
