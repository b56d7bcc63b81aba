#pragma once
// Silhouettes against the references of the COLLADA Conformance Test Suite, each drawn through the file's own
// camera. What is compared is where a picture is not its background: the programs that drew the pictures had
// other lights. In the suite's full form the blessed pictures lie beside the files:
//   NAME/NAME.dae
//   NAME/Blessed/default.txt               names the picture of a still, as `png\NAME1.png`
//   NAME/Blessed/animations/*/00.png ...   a moving file, drawn by the suite's viewer evenly from 0 to 2 s,
//                                          or by Maya at every third frame of 24 a second, from the first
// Where a picture depends on how a file is read, the suite also holds a file that says the same in the plain
// way: NAME_blessed.dae, or a test named _reference_*, whose pictures its judging scripts ask for.

#include <filesystem>
#include <map>
#include <string>

namespace vitrine::test {

inline constexpr double min_overlap = 0.7; // with a picture, of both shapes' union; edges and lines differ
inline constexpr double min_same_overlap = 0.99; // of two files, which we both draw

// The overlap by each default.txt and each folder of frames below `suite` that can be compared; of a moving
// file the mean over its frames, by the better of the two clocks.
std::map<std::string, double> compare_pictures(const std::filesystem::path& suite);

// The least overlap over 15 moments from 0 to 2 s, by the path of each file below `suite` that has a
// reference there.
std::map<std::string, double> compare_references(const std::filesystem::path& suite);

// The least overlap of each file below `suite` of which its camera shows something with itself as our
// exporter writes it again: the suite's scripts ask of a program that its export draws what its import drew.
std::map<std::string, double> compare_exports(const std::filesystem::path& suite);

} // namespace vitrine::test
