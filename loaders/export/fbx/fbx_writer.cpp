#include "loaders/export/fbx/fbx_writer.hpp"

#include "loaders/export/fbx/fbx_objects.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/motion/frame_rate.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::exporting {
namespace {

using scene::none;

class FbxWriter {
public:
    explicit FbxWriter(const scene::Scene& scene) : scene_(scene) {}
    FbxElement run();

private:
    void write_header(FbxElement& root);
    void write_nodes();

    const scene::Scene& scene_;
    FbxObjects objects_;
    FbxIds ids_;
};

void FbxWriter::write_header(FbxElement& root)
{
    FbxElement& header = root.add("FBXHeaderExtension");
    header.add("FBXHeaderVersion", {std::int32_t{1003}});
    header.add("FBXVersion", {std::int32_t{7400}});
    header.add("Creator", {std::string("Vitrine")});
    // Autodesk's programs check these values against each other and against the footer.
    constexpr std::string_view id("\x28\xb3\x2a\xeb\xb6\x24\xcc\xc2\xbf\xc8\xb0\x2a\xa9\x2b\xfc\xf1", 16);
    root.add("FileId", {FbxRaw{to_bytes(id)}});
    root.add("CreationTime", {std::string("1970-01-01 10:00:00:000")});
    root.add("Creator", {std::string("Vitrine")});
    FbxElement& settings = root.add("GlobalSettings");
    settings.add("Version", {std::int32_t{1000}});
    FbxElement& p = settings.add("Properties70");
    const auto add_integer = [&](std::string_view name, std::int32_t value) {
        p.property(name, "int", "Integer", "", {value});
    };
    add_integer("UpAxis", 1), add_integer("UpAxisSign", 1);
    add_integer("FrontAxis", 2), add_integer("FrontAxisSign", 1);
    add_integer("CoordAxis", 0), add_integer("CoordAxisSign", 1);
    p.property("UnitScaleFactor", "double", "Number", "", {100.0}); // centimeters
    p.property("TimeMode", "enum", "", "", {std::int32_t{14}});     // custom
    const double rate = scene_.clips.empty() ? 0.0 : scene_.clips.front().frame_rate;
    p.property("CustomFrameRate", "double", "Number", "", {rate > 0.0 ? rate : scene::default_frame_rate});
}

void FbxWriter::write_nodes()
{
    std::vector<bool> is_joint(scene_.nodes.size(), false);
    for (const scene::Skin& skin : scene_.skins)
        for (const std::uint32_t joint : skin.joints)
            is_joint[joint] = true;
    for (std::uint32_t n = 0; n < scene_.nodes.size(); ++n) {
        const scene::Node& node = scene_.nodes[n];
        const char* type = node.mesh != none ? "Mesh" : is_joint[n] ? "LimbNode" : "Null";
        std::int64_t id = 0;
        FbxElement& model = objects_.add("Model", "Model::" + node.name, type, id);
        model.add("Version", {std::int32_t{232}});
        const scene::Trs local = node.matrix ? scene::decompose(*node.matrix) : node.local;
        FbxElement& p = model.add("Properties70");
        p.property("InheritType", "enum", "", "", {std::int32_t{1}});
        p.property("Lcl Translation", "Lcl Translation", "", "A", fbx_numbers(glm::dvec3(local.translation)));
        p.property("Lcl Rotation", "Lcl Rotation", "", "A", fbx_numbers(fbx_euler(local.rotation)));
        p.property("Lcl Scaling", "Lcl Scaling", "", "A", fbx_numbers(glm::dvec3(local.scale)));
        if (!node.visible) p.property("Visibility", "Visibility", "", "A", {0.0});
        p.property("Visibility Inheritance", "Visibility Inheritance", "", "", {std::int32_t{0}});
        objects_.connect(id, node.parent == none ? 0 : ids_.models[node.parent]);
        ids_.models.push_back(id);
    }
}

FbxElement FbxWriter::run()
{
    FbxElement root;
    write_header(root);
    write_nodes();
    write_fbx_materials(scene_, ids_, objects_);
    write_fbx_meshes(scene_, ids_, objects_);
    write_fbx_clips(scene_, ids_, objects_);
    objects_.finish(root);
    return root;
}

} // namespace

std::vector<NamedFile> write_fbx(const scene::Scene& scene, const std::string& stem, FbxContainer container)
{
    if (const auto shaded = scene::with_normals(scene)) return write_fbx(*shaded, stem, container);
    return {{stem + ".fbx", write_fbx_tree(FbxWriter(scene).run(), container)}};
}

} // namespace vitrine::exporting
