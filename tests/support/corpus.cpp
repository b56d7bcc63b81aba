#include "tests/support/corpus.hpp"

#include <cstdlib>

namespace vitrine::test {

std::optional<std::filesystem::path> corpus_dir()
{
    const char* variable = std::getenv("VITRINE_CORPUS");
    const std::filesystem::path path =
        variable && *variable ? variable : VITRINE_SOURCE_DIR "/../shared/corpus";
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) return std::nullopt;
    return path;
}

} // namespace vitrine::test
