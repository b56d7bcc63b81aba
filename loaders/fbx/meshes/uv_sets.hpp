#pragma once
// The UV sets of meshes. A file names any number of sets; a Scene's mesh has those that textures use, and a
// Scene's material uses them by index.

#include <string>
#include <vector>

#include "loaders/fbx/materials/materials.hpp"
#include "loaders/fbx/meshes/mesh_source.hpp"

namespace vitrine::fbx {

// Appends to MeshSource::uv_choices, for each material, the sets of the mesh that its textures use; warns
// where they use more than scene::max_uv_sets.
void choose_uv_sets(const GeometryUse& use, const Object& stored, MeshSource& source,
                    io::WarningLog& warnings);

// The sets that the primitives of a material have, when the MeshSource no longer exists.
class UvTable {
public:
    explicit UvTable(const MeshSource& source) : choices_(source.uv_choices)
    {
        for (const ValueLayer& layer : source.uv_sets)
            names_.push_back(layer.name);
    }

    UvNames names_of(std::uint32_t material) const
    {
        const UvChoice& choice = material < choices_.size() ? choices_[material] : first_uv_sets;
        UvNames out;
        for (std::size_t i = 0; i < out.size(); ++i)
            if (choice[i] < names_.size()) out[i] = names_[choice[i]];
        return out;
    }

private:
    std::vector<std::string> names_;
    std::vector<UvChoice> choices_;
};

// Resolves the sets that textures name to indices in each mesh that uses their material.
void resolve_uv_sets(const LoadContext& context, const MaterialMap& materials, const MeshMap& meshes);

} // namespace vitrine::fbx
