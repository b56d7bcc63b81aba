#pragma once
// Behavior of the formats of vitrine-loader-faulty: each extension does one thing that a loader must never
// do.

#include <array>
#include <span>
#include <string_view>

#include "loaders/worker/child/formats.hpp"

namespace vitrine::worker {

struct Fault {
    std::array<std::string_view, 1> extension;
    LoadResult<scene::Scene> (*load)(Source&, const Limits&);
};

// The descriptor of the result: after the standard streams, the socket and the job's bytes.
inline constexpr int result_descriptor = 5;

[[noreturn]] void wait_for_ever();

// System calls that a loader must not make. A call that returns an error is reported as an error `empty` with
// "done".
std::span<const Fault> forbidden_syscalls();

} // namespace vitrine::worker
