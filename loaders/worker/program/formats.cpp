#include "loaders/worker/child/formats.hpp"

#include <algorithm>
#include <array>

#include "loaders/3ds/3ds.hpp"
#include "loaders/base/model_formats.hpp"
#include "loaders/bvh/bvh.hpp"
#include "loaders/dae/dae.hpp"
#include "loaders/fbx/container/element.hpp"
#include "loaders/fbx/fbx.hpp"
#include "loaders/gltf/gltf.hpp"
#include "loaders/md2/md2.hpp"
#include "loaders/md3/md3.hpp"
#include "loaders/md5/md5.hpp"
#include "loaders/obj/obj.hpp"
#include "loaders/ply/ply.hpp"
#include "loaders/stl/stl.hpp"
#include "loaders/vrm/vrm.hpp"

namespace vitrine::worker {
namespace {

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

} // namespace

std::span<const Format> formats()
{
    static const std::array table{
        Format{"3ds", extensions_of("3ds"), is_3ds, load_3ds},
        Format{"bvh", extensions_of("bvh"), is_bvh, load_bvh},
        Format{"dae", extensions_of("dae"), is_dae, load_dae, is_animation_only_dae, load_dae},
        Format{"fbx", extensions_of("fbx"), fbx::is_fbx, load_fbx, is_animation_only_fbx, load_fbx},
        // Before gltf, because they are glTF files.
        Format{"vrm", extensions_of("vrm"), is_vrm, load_vrm_with_flat_meshes, nullptr, nullptr,
               load_gltf_libraries},
        Format{"gltf", extensions_of("gltf"), is_glb, load_gltf_with_flat_meshes, is_animation_only_gltf,
               nullptr, load_gltf_libraries},
        Format{"md2", extensions_of("md2"), is_md2, load_md2},
        Format{"md3", extensions_of("md3"), is_md3, load_md3},
        Format{"md5", extensions_of("md5"), nullptr, load_md5},
        Format{"obj", extensions_of("obj"), nullptr, load_obj},
        Format{"ply", extensions_of("ply"), is_ply, load_ply_with_flat_meshes},
        Format{"stl", extensions_of("stl"), is_stl, load_stl_with_flat_meshes},
    };
    return table;
}

} // namespace vitrine::worker
