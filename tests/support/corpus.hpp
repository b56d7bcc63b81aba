#pragma once
// The corpus of real files is not part of the repository: tests that need it are skipped without it.

#include <filesystem>
#include <optional>

namespace vitrine::test {

// $VITRINE_CORPUS, else shared/corpus beside the source tree. Empty if neither is a folder.
std::optional<std::filesystem::path> corpus_dir();

} // namespace vitrine::test
