#pragma once
// What the formats of vitrine-loader-faulty do: each extension one thing that a loader must never do.

#include <array>
#include <span>
#include <string_view>

#include "loaders/worker/child/formats.hpp"

namespace vitrine::worker {

struct Fault {
    std::array<std::string_view, 1> extension;
    LoadResult<scene::Scene> (*load)(Source&, const Limits&);
};

// The descriptor of the result: after streams, socket and the job's bytes.
inline constexpr int result_descriptor = 5;

[[noreturn]] void wait_for_ever();

// System calls that no loader may make. Those that come back do so with an error `empty` that says "done".
std::span<const Fault> forbidden_deeds();

} // namespace vitrine::worker
