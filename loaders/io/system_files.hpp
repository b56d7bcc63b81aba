#pragma once

#include <string_view>

namespace vitrine::io {

// Whether a file with this relative name, '/' separated, is none of the user's: what desktops and version
// control keep beside files (".DS_Store", "Thumbs.db", "._name", files below "__MACOSX" and ".git"). ASCII
// case-insensitive.
bool is_system_file(std::string_view name);

} // namespace vitrine::io
