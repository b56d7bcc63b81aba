#pragma once
// Measures one reader on one file in its own process.

#include <cstdint>
#include <functional>

namespace vitrine::bench {

struct Figures {
    double seconds = 0.0;         // processor time of the best run
    std::uint64_t peak_bytes = 0; // peak resident memory above that at the start; mapped files count
    std::uint64_t triangles = 0;  // 0: failed or crashed
    std::uint64_t content_bytes = 0;
};

struct Read {
    std::uint64_t triangles = 0;
    std::uint64_t content_bytes = 0; // 0: unknown
};

Figures measure(int runs, const std::function<Read()>& read);

} // namespace vitrine::bench
