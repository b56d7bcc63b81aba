#pragma once
// The corpus of real files is not part of the repository: tests that need it skip where it is absent.

#include <filesystem>
#include <optional>

namespace vitrine::test {

// $VITRINE_CORPUS, else shared/corpus beside the source tree. Empty when neither is a folder.
std::optional<std::filesystem::path> corpus_dir();

} // namespace vitrine::test
