#pragma once
// Files of the corpus and of Debian's assimp-testmodels, and whether images of them show something.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "loaders/worker/child/formats.hpp"
#include "vk_renderer/base/frame.hpp"

namespace vitrine::test {

// In lower case, with the dot.
std::string extension_of(const std::filesystem::path& file);
// By the file's extension; null if no model has it.
const worker::Format* format_of(const std::filesystem::path& file);

// The models of assimp-testmodels whose extension is accepted, then those of the corpus; each sorted.
std::vector<std::filesystem::path>
list_models(const std::filesystem::path& corpus,
            const std::function<bool(const std::string& extension)>& accepts_assimp);

// Whether a pixel is drawn over a transparent background.
bool shows_something(const render::Frame& frame);

} // namespace vitrine::test
