#pragma once
// Writes the output file of a command (-o).

#include <cstddef>
#include <span>
#include <string>

namespace vitrine::cli {

// Throws std::runtime_error when the file cannot be written.
void write_output(const std::string& file, std::span<const std::byte> bytes);

} // namespace vitrine::cli
