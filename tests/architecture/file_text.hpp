#pragma once
// The content of a file of the tree.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace vitrine::test {

// Returns an empty text for a file that cannot be read.
inline std::string text_of(const std::filesystem::path& file)
{
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace vitrine::test
