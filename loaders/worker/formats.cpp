#include "loaders/worker/formats.hpp"

#include <array>

#include "loaders/md5/md5.hpp"

namespace vitrine::worker {
namespace {

using namespace std::string_view_literals;

constexpr std::array md5_extensions{".md5mesh"sv, ".md5anim"sv};

constexpr std::array table{
    Format{"md5", md5_extensions, nullptr, load_md5},
};

} // namespace

std::span<const Format> formats() { return table; }

} // namespace vitrine::worker
