#include "loaders/worker/protocol/sanitizers.hpp"

#include <array>
#include <string_view>

#include <unistd.h>

namespace vitrine::worker {
namespace {

constexpr std::array<std::string_view, 6> inherited_variables{
    "ASAN_OPTIONS=", "UBSAN_OPTIONS=",        "LSAN_OPTIONS=",
    "TSAN_OPTIONS=", "ASAN_SYMBOLIZER_PATH=", "LLVM_PROFILE_FILE="};

bool is_kept(std::string_view variable)
{
    for (const auto name : inherited_variables)
        if (variable.starts_with(name)) return true;
    return false;
}

} // namespace

std::vector<char*> loader_environment()
{
    static char large_pages[] = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1"; // madvise(MADV_HUGEPAGE)
    std::vector<char*> variables{large_pages};
    for (char** at = environ; at != nullptr && *at != nullptr; ++at)
        if (is_kept(*at)) variables.push_back(*at);
    variables.push_back(nullptr);
    return variables;
}

} // namespace vitrine::worker
