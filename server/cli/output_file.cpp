#include "server/cli/output_file.hpp"

#include <fstream>
#include <stdexcept>

namespace vitrine::cli {

void write_output(const std::string& file, std::span<const std::byte> bytes)
{
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) throw std::runtime_error(file + ": cannot be written");
}

} // namespace vitrine::cli
