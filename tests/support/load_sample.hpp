#pragma once
// Loads a model of the sample library with its format's loader. Link vitrine_samples and the loaders.

#include <map>
#include <string>
#include <utility>

#include "loaders/3ds/3ds.hpp"
#include "loaders/bvh/bvh.hpp"
#include "loaders/dae/dae.hpp"
#include "loaders/fbx/fbx.hpp"
#include "loaders/gltf/gltf.hpp"
#include "loaders/md2/md2.hpp"
#include "loaders/md3/md3.hpp"
#include "loaders/md5/md5.hpp"
#include "loaders/obj/obj.hpp"
#include "loaders/ply/ply.hpp"
#include "loaders/stl/stl.hpp"
#include "loaders/vrm/vrm.hpp"
#include "server/samples/samples.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::test {

inline LoadResult<scene::Scene> load_sample(const samples::SampleFile& sample)
{
    std::map<std::string, std::string> files;
    for (const auto& file : sample.files)
        files.emplace(file.name,
                      std::string(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()));
    MemorySource source(sample.main_name, std::move(files));
    if (sample.main_name.ends_with(".bvh")) return load_bvh(source, {});
    if (sample.main_name.ends_with(".fbx")) return load_fbx(source, {});
    if (sample.main_name.ends_with(".md2")) return load_md2(source, {});
    if (sample.main_name.ends_with(".md3")) return load_md3(source, {});
    if (sample.main_name.ends_with(".md5mesh")) return load_md5(source, {});
    if (sample.main_name.ends_with(".3ds")) return load_3ds(source, {});
    if (sample.main_name.ends_with(".obj")) return load_obj(source, {});
    if (sample.main_name.ends_with(".ply")) return load_ply(source, {});
    if (sample.main_name.ends_with(".stl")) return load_stl(source, {});
    if (sample.main_name.ends_with(".vrm") || sample.main_name.ends_with(".vrma"))
        return load_vrm(source, {});
    if (sample.main_name.ends_with(".dae")) return load_dae(source, {});
    return load_gltf(source, {});
}

} // namespace vitrine::test
