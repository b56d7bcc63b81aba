// Each peer is included if its package is installed: libassimp-dev, libtinyobjloader-dev, lib3ds-dev,
// libpugixml-dev.

#include <string>
#include <vector>

#ifdef VITRINE_HAS_ASSIMP
#include <assimp/Exporter.hpp>
#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#endif
#ifdef VITRINE_HAS_TINYOBJ
#include <tiny_obj_loader.h>
#endif
#ifdef VITRINE_HAS_LIB3DS
#include <lib3ds/file.h>
#include <lib3ds/mesh.h>
#endif
#ifdef VITRINE_HAS_PUGIXML
#include <pugixml.hpp>
#endif

#include "tests/bench/loaders/readers.hpp"

namespace vitrine::bench {
namespace {

namespace fs = std::filesystem;

#ifdef VITRINE_HAS_ASSIMP
Read read_assimp(const fs::path& path)
{
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(path.string(), 0);
    Read read;
    for (unsigned i = 0; scene != nullptr && i < scene->mNumMeshes; ++i)
        read.triangles += scene->mMeshes[i]->mNumFaces;
    return read;
}
#endif

#ifdef VITRINE_HAS_TINYOBJ
Read read_tinyobj(const fs::path& path)
{
    tinyobj::ObjReader reader;
    Read read;
    if (!reader.ParseFromFile(path.string())) return read;
    for (const auto& shape : reader.GetShapes())
        read.triangles += shape.mesh.num_face_vertices.size();
    return read;
}
#endif

#ifdef VITRINE_HAS_LIB3DS
Read read_lib3ds(const fs::path& path)
{
    Read read;
    Lib3dsFile* file = lib3ds_file_load(path.c_str());
    if (file == nullptr) return read;
    for (const Lib3dsMesh* mesh = file->meshes; mesh != nullptr; mesh = mesh->next)
        read.triangles += mesh->faces;
    lib3ds_file_free(file);
    return read;
}
#endif

#ifdef VITRINE_HAS_PUGIXML
// Parses the tree only; numbers are not converted.
Read read_pugixml(const fs::path& path)
{
    pugi::xml_document document;
    if (!document.load_file(path.c_str())) return {};
    const auto triangles = document.select_node("//triangles | //polylist").node();
    return {triangles.attribute("count").as_ullong(), 0};
}
#endif

} // namespace

bool export_by_assimp([[maybe_unused]] const fs::path& from, [[maybe_unused]] std::string_view id,
                      [[maybe_unused]] const fs::path& to)
{
#ifdef VITRINE_HAS_ASSIMP
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(from.string(), 0);
    if (scene == nullptr) return false;
    return Assimp::Exporter().Export(scene, std::string(id), to.string()) == aiReturn_SUCCESS;
#else
    return false;
#endif
}

std::span<const Reader> peers()
{
    static const std::vector<Reader> table{
#ifdef VITRINE_HAS_ASSIMP
        {"assimp", "*", read_assimp},
#endif
#ifdef VITRINE_HAS_TINYOBJ
        {"tinyobjloader", ".obj", read_tinyobj},
#endif
#ifdef VITRINE_HAS_LIB3DS
        {"lib3ds", ".3ds", read_lib3ds},
#endif
#ifdef VITRINE_HAS_PUGIXML
        {"pugixml alone", ".dae", read_pugixml},
#endif
    };
    return table;
}

} // namespace vitrine::bench
