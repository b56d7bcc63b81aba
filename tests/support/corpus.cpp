#include "tests/support/corpus.hpp"

#include <cstdlib>

#include "tests/support/paths.hpp"

namespace vitrine::test {

std::optional<std::filesystem::path> corpus_dir()
{
    const char* variable = std::getenv("VITRINE_CORPUS");
    std::filesystem::path path =
        variable && *variable ? std::filesystem::path(variable) : source_dir() / "../shared/corpus";
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) return std::nullopt;
    return path;
}

} // namespace vitrine::test
