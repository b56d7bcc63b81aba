#pragma once
// Silhouettes against the blessed pictures of the COLLADA Conformance Test Suite, which lie in its full form
// beside the files: NAME/NAME.dae, NAME/Blessed/default.txt, which names a picture as `png\NAME1.png`. They
// were drawn through the file's own camera, by programs with other lights: what is compared is where the
// picture is not its background.

#include <filesystem>
#include <map>
#include <string>

namespace vitrine::test {

inline constexpr double least_overlap = 0.7; // of both silhouettes' union; edges and lines differ

// The overlap by each Blessed/default.txt below the folder that can be compared. Of a moving file the
// beginning, the middle and the end of its first clip are drawn, and the best counts.
std::map<std::string, double> compare_silhouettes(const std::filesystem::path& folder);

} // namespace vitrine::test
