#pragma once
// One reader on one file, in a process of its own.

#include <cstdint>
#include <functional>

namespace vitrine::bench {

struct Figures {
    double seconds = 0.0;         // of processor, best run
    std::uint64_t peak_bytes = 0; // resident at most, beyond what the process began with; mapped files count
    std::uint64_t triangles = 0;  // read; 0: refused or crashed
    std::uint64_t content_bytes = 0;
};

struct Read {
    std::uint64_t triangles = 0;
    std::uint64_t content_bytes = 0; // 0: not known
};

Figures measure(int runs, const std::function<Read()>& read);

} // namespace vitrine::bench
