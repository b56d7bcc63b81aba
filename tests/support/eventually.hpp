#pragma once
// Waiting for what another thread or process does.

#include <chrono>
#include <thread>

namespace vitrine::test {

// Far longer than a busy machine needs: a test reaches it only if the awaited never happens.
inline constexpr std::chrono::seconds wait_timeout{60};

// Polls until the condition holds; returns false if it does not within `limit`.
template <class Condition>
bool eventually(Condition holds, std::chrono::milliseconds limit = wait_timeout)
{
    const auto until = std::chrono::steady_clock::now() + limit;
    while (!holds()) {
        if (std::chrono::steady_clock::now() > until) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

} // namespace vitrine::test
