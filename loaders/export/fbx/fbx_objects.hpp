#pragma once
// The Objects and Connections of an FBX file under construction, and the parts of the writer. Internal to
// loaders/export.

#include <map>

#include "loaders/export/fbx/fbx_tree.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

class FbxObjects {
public:
    // Adds an object such as "Model", "Model::arm", "LimbNode". The reference is valid until the next object
    // is added.
    FbxElement& add(std::string_view kind, std::string_view full_name, std::string_view sub_type,
                    std::int64_t& id)
    {
        id = next_id_++;
        ++counts_[std::string(kind)];
        return objects_.add(std::string(kind), {id, std::string(full_name), std::string(sub_type)});
    }
    void connect(std::int64_t source, std::int64_t destination)
    {
        connections_.add("C", {std::string("OO"), source, destination});
    }
    void connect(std::int64_t source, std::int64_t destination, std::string_view property)
    {
        connections_.add("C", {std::string("OP"), source, destination, std::string(property)});
    }

    // Appends Definitions, Objects and Connections to `root`.
    void finish(FbxElement& root)
    {
        FbxElement& definitions = root.add("Definitions");
        std::int32_t total = 1;
        for (const auto& [kind, count] : counts_)
            total += count;
        definitions.add("Version", {std::int32_t{100}});
        definitions.add("Count", {total});
        definitions.add("ObjectType", {std::string("GlobalSettings")}).add("Count", {std::int32_t{1}});
        for (const auto& [kind, count] : counts_)
            definitions.add("ObjectType", {kind}).add("Count", {count});
        root.children.push_back(std::move(objects_));
        root.children.push_back(std::move(connections_));
    }

private:
    FbxElement objects_{"Objects", {}, {}};
    FbxElement connections_{"Connections", {}, {}};
    std::map<std::string, std::int32_t> counts_;
    std::int64_t next_id_ = 1000;
};

// Ids of the objects that are written for a scene.
struct FbxIds {
    std::vector<std::int64_t> models;                // by node
    std::vector<std::int64_t> materials;             // by material
    std::vector<std::vector<std::int64_t>> channels; // by node, for each morph target of its mesh
};

inline std::vector<FbxValue> fbx_numbers(const glm::dvec3& v)
{
    return {v.x, v.y, v.z};
}

// Returns degrees about x, then y, then z.
glm::dvec3 fbx_euler(const glm::quat& rotation);

// Writes the materials with their textures and embedded images; sets FbxIds::materials.
void write_fbx_materials(const scene::Scene& scene, FbxIds& ids, FbxObjects& objects);

// Writes the meshes of the nodes with their skins and morph targets; sets FbxIds::channels. Precondition:
// models and materials are set.
void write_fbx_meshes(const scene::Scene& scene, FbxIds& ids, FbxObjects& objects);

// Writes clips as animation stacks: one curve per component of an animated property. Precondition: all ids
// are set; animated nodes have no matrix.
void write_fbx_clips(const scene::Scene& scene, const FbxIds& ids, FbxObjects& objects);

} // namespace vitrine::exporting
