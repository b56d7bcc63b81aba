#pragma once
// Where the tests find the checkout and the programs that were built with them. The two paths are known to
// one translation unit, so that a build in another folder can share the compiled rest through ccache.

#include <filesystem>
#include <string>
#include <string_view>

namespace vitrine::test {

std::filesystem::path source_dir();
std::string program(std::string_view name); // its path in the build's bin/

} // namespace vitrine::test
