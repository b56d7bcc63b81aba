#include "tests/support/paths.hpp"

namespace vitrine::test {

std::filesystem::path source_dir()
{
    return VITRINE_SOURCE_DIR;
}

std::string program(std::string_view name)
{
    return (std::filesystem::path(VITRINE_BINARY_DIR) / "bin" / name).string();
}

} // namespace vitrine::test
