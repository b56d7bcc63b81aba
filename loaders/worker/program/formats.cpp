#include "loaders/worker/child/formats.hpp"

#include <algorithm>
#include <array>

#include "loaders/3ds/3ds.hpp"
#include "loaders/dae/dae.hpp"
#include "loaders/fbx/container/element.hpp"
#include "loaders/fbx/fbx.hpp"
#include "loaders/gltf/gltf.hpp"
#include "loaders/md2/md2.hpp"
#include "loaders/md3/md3.hpp"
#include "loaders/md5/md5.hpp"
#include "loaders/obj/obj.hpp"

namespace vitrine::worker {
namespace {

using namespace std::string_view_literals;

constexpr std::array threeds_extensions{".3ds"sv};
constexpr std::array dae_extensions{".dae"sv, ".zae"sv};
constexpr std::array fbx_extensions{".fbx"sv};
constexpr std::array gltf_extensions{".gltf"sv, ".glb"sv};
constexpr std::array md2_extensions{".md2"sv};
constexpr std::array md3_extensions{".md3"sv};
constexpr std::array md5_extensions{".md5mesh"sv, ".md5anim"sv};
constexpr std::array obj_extensions{".obj"sv};

bool begins_with(Bytes bytes, std::string_view mark)
{
    const auto same = [](std::byte b, char c) { return b == static_cast<std::byte>(c); };
    return bytes.size() >= mark.size() && std::ranges::equal(bytes.first(mark.size()), mark, same);
}

bool is_glb(Bytes bytes)
{
    return begins_with(bytes, "glTF");
}

bool is_md2(Bytes bytes)
{
    return begins_with(bytes, "IDP2");
}

bool is_md3(Bytes bytes)
{
    return begins_with(bytes, "IDP3");
}

constexpr std::array table{
    Format{"3ds", threeds_extensions, is_3ds, load_3ds},
    Format{"dae", dae_extensions, is_dae, load_dae, is_animation_only_dae, load_dae},
    Format{"fbx", fbx_extensions, fbx::is_fbx, load_fbx, is_animation_only_fbx, load_fbx},
    Format{"gltf", gltf_extensions, is_glb, load_gltf, is_animation_only_gltf},
    Format{"md2", md2_extensions, is_md2, load_md2},
    Format{"md3", md3_extensions, is_md3, load_md3},
    Format{"md5", md5_extensions, nullptr, load_md5},
    Format{"obj", obj_extensions, nullptr, load_obj},
};

} // namespace

std::span<const Format> formats()
{
    return table;
}

} // namespace vitrine::worker
