#pragma once
// File names of an upload, in the parent.

#include <string>
#include <string_view>
#include <vector>

namespace vitrine::worker {

// Whether `name` is in the normalized form of io::normalize_name: relative, '/' separated, no empty, "." or
// ".." part, no control character. Validates names sent by the loader process.
bool is_normalized_name(std::string_view name);

// The names that are models, one asset each. Decided by name alone: an animation-only file (.md5anim) belongs
// to the model next to it, an .mtl to its .obj, a part of another model (io::find_shared_parts) to that
// model.
std::vector<std::string> model_names(const std::vector<std::string>& names);
// Whether a file with this name is an asset of its own whatever the other files and its content are.
bool is_always_model(std::string_view name);

} // namespace vitrine::worker
