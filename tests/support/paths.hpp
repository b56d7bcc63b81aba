#pragma once
// Locations of the checkout and of the programs built with the tests. Only one translation unit contains the
// two paths, so that builds in other folders share the other objects through ccache.

#include <filesystem>
#include <string>
#include <string_view>

namespace vitrine::test {

std::filesystem::path source_dir();
std::string program(std::string_view name); // path in the build's bin/

} // namespace vitrine::test
