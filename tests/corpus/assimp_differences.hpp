#pragma once
// Files on which Vitrine and assimp 5.2 differ, with the reason.

#include <span>
#include <string_view>

namespace vitrine::test {

struct KnownDifference {
    std::string_view file; // end of the path
    // Of "clips duration joints positions triangles" in this order; "skipped": assimp is not called.
    std::string_view aspects;
    std::string_view reason;
};

std::span<const KnownDifference> known_differences();

// nullptr: the file is not listed.
const KnownDifference* find_known_difference(std::string_view path);

} // namespace vitrine::test
