#pragma once
// The content of a file of the tree.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace vitrine::test {

// Returns an empty text for a file that cannot be read.
inline std::string text_of(const std::filesystem::path& file)
{
    std::ifstream in(file);
    std::ostringstream out;
    out << in.rdbuf();
    return std::move(out).str();
}

} // namespace vitrine::test
