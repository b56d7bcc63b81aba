#pragma once
// How long the random tests run: VITRINE_ROUNDS times the usual (script/soak robustness). The seeds are
// fixed, so a longer run repeats a shorter one and goes on.

#include <algorithm>
#include <cstdlib>

namespace vitrine::test {

inline int rounds(int usual)
{
    const char* times = std::getenv("VITRINE_ROUNDS");
    return usual * (times ? std::clamp(std::atoi(times), 1, 10'000) : 1);
}

// Whether VITRINE_ROUNDS asks for more than the usual: then no place is left out.
inline bool is_soak()
{
    return rounds(1) > 1;
}

} // namespace vitrine::test
