#include "loaders/worker/formats.hpp"

#include <algorithm>
#include <array>

#include "loaders/gltf/gltf.hpp"
#include "loaders/md5/md5.hpp"
#include "loaders/obj/obj.hpp"

namespace vitrine::worker {
namespace {

using namespace std::string_view_literals;

constexpr std::array gltf_extensions{".gltf"sv, ".glb"sv};
constexpr std::array md5_extensions{".md5mesh"sv, ".md5anim"sv};
constexpr std::array obj_extensions{".obj"sv};

bool is_glb(Bytes bytes)
{
    constexpr std::array magic{std::byte{'g'}, std::byte{'l'}, std::byte{'T'}, std::byte{'F'}};
    return bytes.size() >= magic.size() && std::ranges::equal(bytes.first(magic.size()), magic);
}

constexpr std::array table{
    Format{"gltf", gltf_extensions, is_glb, load_gltf, gltf_only_animates},
    Format{"md5", md5_extensions, nullptr, load_md5},
    Format{"obj", obj_extensions, nullptr, load_obj},
};

} // namespace

std::span<const Format> formats()
{
    return table;
}

} // namespace vitrine::worker
