#include "loaders/export/dae_writer.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/export/dae_text.hpp"
#include "loaders/export/png.hpp"
#include "loaders/scene/pose.hpp"
#include "loaders/scene/srgb.hpp"

namespace vitrine::exporting {
namespace {

using scene::none;

constexpr double samples_a_second = 120.0; // of cubic keys

float to_srgb(float linear)
{
    return scene::srgb_from_linear(std::clamp(linear, 0.0f, 1.0f));
}

std::string colour(const glm::vec3& linear, float alpha)
{
    return fmt::format("<color>{} {} {} {}</color>", to_srgb(linear.x), to_srgb(linear.y), to_srgb(linear.z),
                       alpha);
}

template <class Vectors>
std::vector<float> floats(const Vectors& vectors)
{
    std::vector<float> out;
    for (const auto& v : vectors)
        for (glm::length_t i = 0; i < v.length(); ++i)
            out.push_back(v[i]);
    return out;
}

std::vector<float> upwards(const std::vector<glm::vec2>& uvs)
{
    std::vector<float> out;
    for (const glm::vec2& uv : uvs) {
        out.push_back(uv.x);
        out.push_back(1.0f - uv.y);
    }
    return out;
}

class Writer {
public:
    Writer(const scene::Scene& scene, const std::string& stem) : scene_(scene), stem_(stem) {}

    std::vector<NamedFile> run()
    {
        out_.line("<?xml version=\"1.0\" encoding=\"utf-8\"?>");
        out_.line("<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">");
        out_.line("<asset><contributor><authoring_tool>Vitrine</authoring_tool></contributor>"
                  "<unit name=\"metre\" meter=\"1\"/><up_axis>Y_UP</up_axis></asset>");
        write_materials();
        section("library_geometries", [&] { write_meshes(); });
        section("library_controllers", [&] { write_controllers(); });
        section("library_animations", [&] { write_animations(); });
        section("library_animation_clips", [&] { write_clips(); });
        out_.line("<library_visual_scenes><visual_scene id=\"scene\">");
        write_nodes(none);
        out_.line(
            "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#scene\"/></scene>");
        out_.line("</COLLADA>");
        files_.insert(files_.begin(), {stem_ + ".dae", to_bytes(out_.text())});
        return std::move(files_);
    }

private:
    // The schema has no empty libraries.
    template <class Write>
    void section(const char* name, Write write)
    {
        const std::size_t start = out_.text().size();
        out_.line("<{}>", name);
        const std::size_t inside = out_.text().size();
        write();
        if (out_.text().size() == inside)
            out_.text().resize(start);
        else
            out_.line("</{}>", name);
    }

    bool has_pixels(std::uint32_t image) const
    {
        return image != none && !scene_.images[image].pixels.empty();
    }

    void write_materials()
    {
        section("library_images", [&] {
            for (std::size_t i = 0; i < scene_.images.size(); ++i) {
                if (scene_.images[i].pixels.empty()) continue;
                const std::string file = fmt::format("{}_{}.png", stem_, i);
                out_.line("<image id=\"image-{}\"><init_from>{}</init_from></image>", i, file);
                files_.push_back({file, write_png(scene_.images[i])});
            }
        });
        section("library_materials", [&] {
            for (std::size_t m = 0; m < scene_.materials.size(); ++m)
                out_.line("<material id=\"material-{0}\" name=\"{1}\"><instance_effect "
                          "url=\"#effect-{0}\"/></material>",
                          m, escaped(scene_.materials[m].name));
        });
        section("library_effects", [&] {
            for (std::size_t m = 0; m < scene_.materials.size(); ++m)
                write_effect(m, scene_.materials[m]);
        });
    }

    void write_sampler(const char* name, const scene::Texture& texture)
    {
        const auto mode = [](scene::Wrap wrap) {
            return wrap == scene::Wrap::repeat ? "WRAP" : wrap == scene::Wrap::clamp ? "CLAMP" : "MIRROR";
        };
        out_.line("<newparam sid=\"{0}-surface\"><surface "
                  "type=\"2D\"><init_from>image-{1}</init_from></surface></newparam>"
                  "<newparam "
                  "sid=\"{0}-sampler\"><sampler2D><source>{0}-surface</source><wrap_s>{2}</wrap_s><wrap_t>{3}"
                  "</wrap_t></sampler2D></newparam>",
                  name, texture.image, mode(texture.wrap_s), mode(texture.wrap_t));
    }

    std::string surface(const char* name, const scene::Texture& texture, const glm::vec3& linear) const
    {
        if (!has_pixels(texture.image)) return colour(linear, 1.0f);
        return fmt::format("<texture texture=\"{}-sampler\" texcoord=\"UV{}\"/>", name, texture.uv_set);
    }

    void write_effect(std::size_t index, const scene::Material& m)
    {
        out_.line("<effect id=\"effect-{}\"><profile_COMMON>", index);
        if (has_pixels(m.base_colour_texture.image)) write_sampler("base", m.base_colour_texture);
        if (has_pixels(m.emissive_texture.image)) write_sampler("glow", m.emissive_texture);
        const std::string base = surface("base", m.base_colour_texture, glm::vec3(m.base_colour));
        const std::string glow = surface("glow", m.emissive_texture, m.emissive);
        const bool by_texture =
            m.alpha_mode != scene::AlphaMode::opaque && has_pixels(m.base_colour_texture.image);
        const std::string opacity =
            by_texture ? fmt::format("<transparent opaque=\"A_ONE\">{}</transparent>"
                                     "<transparency><float>{}</float></transparency>",
                                     base, m.base_colour.w)
                       : fmt::format("<transparent opaque=\"A_ONE\"><color>0 0 0 {}</color></transparent>",
                                     m.base_colour.w);
        if (m.unlit) {
            out_.line("<technique sid=\"common\"><constant><emission>{}</emission>{}</constant></technique>",
                      base, opacity);
        } else {
            const float n = 2.0f / std::max(m.roughness * m.roughness, 1e-3f) - 2.0f;
            out_.line(
                "<technique "
                "sid=\"common\"><phong><emission>{}</emission><diffuse>{}</diffuse><specular><color>0.2 0.2 "
                "0.2 1</color></specular><shininess><float>{}</float></shininess>{}</phong></technique>",
                glow, base, n, opacity);
        }
        out_.line("</profile_COMMON></effect>");
    }

    void write_mesh(const std::string& id, const scene::Mesh& mesh, const std::vector<glm::vec3>& positions,
                    const std::vector<glm::vec3>& normals)
    {
        out_.line("<geometry id=\"{}\" name=\"{}\"><mesh>", id, escaped(mesh.name));
        out_.source(id + "-positions", floats(positions), 3, "X Y Z");
        out_.source(id + "-normals", floats(normals), 3, "X Y Z");
        if (!mesh.uv0.empty()) out_.source(id + "-uv0", upwards(mesh.uv0), 2, "S T");
        if (!mesh.uv1.empty()) out_.source(id + "-uv1", upwards(mesh.uv1), 2, "S T");
        if (!mesh.colours.empty()) {
            std::vector<glm::vec4> colours = mesh.colours;
            for (glm::vec4& c : colours)
                c = {to_srgb(c.x), to_srgb(c.y), to_srgb(c.z), c.w};
            out_.source(id + "-colours", floats(colours), 4, "R G B A");
        }
        out_.line("<vertices id=\"{0}-vertices\"><input semantic=\"POSITION\" "
                  "source=\"#{0}-positions\"/></vertices>",
                  id);
        for (const scene::Primitive& primitive : mesh.primitives)
            write_primitive(id, mesh, primitive);
        out_.line("</mesh></geometry>");
    }

    void write_primitive(const std::string& id, const scene::Mesh& mesh, const scene::Primitive& primitive)
    {
        if (primitive.topology == scene::Topology::points) return; // COLLADA has none
        const bool lines = primitive.topology == scene::Topology::lines;
        const char* kind = lines ? "lines" : "triangles";
        out_.line("<{} material=\"m{}\" count=\"{}\">", kind, static_cast<std::int64_t>(primitive.material),
                  primitive.count / (lines ? 2 : 3));
        out_.line("<input semantic=\"VERTEX\" source=\"#{}-vertices\" offset=\"0\"/>", id);
        out_.line("<input semantic=\"NORMAL\" source=\"#{}-normals\" offset=\"0\"/>", id);
        for (int set = 0; set < 2; ++set)
            if (!(set == 0 ? mesh.uv0 : mesh.uv1).empty())
                out_.line("<input semantic=\"TEXCOORD\" source=\"#{0}-uv{1}\" offset=\"0\" set=\"{1}\"/>", id,
                          set);
        if (!mesh.colours.empty())
            out_.line("<input semantic=\"COLOR\" source=\"#{}-colours\" offset=\"0\"/>", id);
        out_.text() += "<p>";
        for (std::uint32_t i = primitive.first; i < primitive.first + primitive.count; ++i)
            fmt::format_to(std::back_inserter(out_.text()), "{} ", mesh.indices[i]);
        out_.line("</p></{}>", kind);
    }

    void write_meshes()
    {
        for (std::size_t m = 0; m < scene_.meshes.size(); ++m) {
            const scene::Mesh& mesh = scene_.meshes[m];
            write_mesh(fmt::format("mesh-{}", m), mesh, mesh.positions, mesh.normals);
            for (std::size_t t = 0; t < mesh.morph_targets.size(); ++t)
                write_shape(fmt::format("mesh-{}-target-{}", m, t), mesh, mesh.morph_targets[t]);
        }
    }

    // A morph target is a mesh of its own, whole.
    void write_shape(const std::string& id, const scene::Mesh& mesh, const scene::MorphTarget& target)
    {
        scene::Mesh shape;
        shape.name = target.name;
        shape.indices = mesh.indices;
        shape.primitives = mesh.primitives;
        std::vector<glm::vec3> positions = mesh.positions, normals = mesh.normals;
        for (std::size_t i = 0; i < target.vertices.size(); ++i) {
            positions[target.vertices[i]] += target.position_deltas[i];
            if (!target.normal_deltas.empty()) normals[target.vertices[i]] += target.normal_deltas[i];
        }
        write_mesh(id, shape, positions, normals);
    }

    // The element that an instance of a mesh names, and the controllers behind it.
    void write_controllers()
    {
        for (std::size_t n = 0; n < scene_.nodes.size(); ++n) {
            const scene::Node& node = scene_.nodes[n];
            if (node.mesh == none) continue;
            if (!scene_.meshes[node.mesh].morph_targets.empty()) write_morph(n, node);
            if (node.skin != none) write_skin(n, node);
        }
    }

    std::string morph_id(std::size_t n) const { return fmt::format("morph-{}", n); }

    void write_morph(std::size_t n, const scene::Node& node)
    {
        const scene::Mesh& mesh = scene_.meshes[node.mesh];
        std::vector<std::string> targets;
        for (std::size_t t = 0; t < mesh.morph_targets.size(); ++t)
            targets.push_back(fmt::format("mesh-{}-target-{}", node.mesh, t));
        const std::string id = morph_id(n);
        out_.line("<controller id=\"{}\"><morph source=\"#mesh-{}\" method=\"NORMALIZED\">", id, node.mesh);
        out_.words(id + "-targets", targets, "IDREF_array", "MORPH_TARGET");
        out_.source(id + "-weights", node.morph_weights.empty() ? mesh.morph_weights : node.morph_weights, 1,
                    "MORPH_WEIGHT");
        out_.line("<targets><input semantic=\"MORPH_TARGET\" source=\"#{0}-targets\"/><input "
                  "semantic=\"MORPH_WEIGHT\" "
                  "source=\"#{0}-weights\"/></targets></morph></controller>",
                  id);
    }

    void write_skin(std::size_t n, const scene::Node& node)
    {
        const scene::Skin& skin = scene_.skins[node.skin];
        const scene::Influences& influences = scene_.meshes[node.mesh].influences;
        const bool morphs = !scene_.meshes[node.mesh].morph_targets.empty();
        std::vector<std::string> joints;
        std::vector<float> binds;
        for (std::size_t j = 0; j < skin.joints.size(); ++j) {
            joints.push_back(fmt::format("joint-{}", skin.joints[j]));
            append_rows(skin.inverse_bind[j], binds);
        }
        const std::string id = fmt::format("skin-{}", n);
        out_.line("<controller id=\"{}\" name=\"{}\"><skin source=\"#{}\">", id, escaped(skin.name),
                  morphs ? morph_id(n) : fmt::format("mesh-{}", node.mesh));
        out_.matrix("bind_shape_matrix", glm::mat4(1.0f));
        out_.words(id + "-joints", joints, "Name_array", "JOINT");
        out_.source(id + "-binds", binds, 16, "TRANSFORM", "float4x4");
        out_.source(id + "-weights", influences.weights, 1, "WEIGHT");
        out_.line(
            "<joints><input semantic=\"JOINT\" source=\"#{0}-joints\"/><input semantic=\"INV_BIND_MATRIX\" "
            "source=\"#{0}-binds\"/></joints>",
            id);
        write_weights(id, influences);
        out_.line("</skin></controller>");
    }

    void write_weights(const std::string& id, const scene::Influences& influences)
    {
        const std::size_t vertices = influences.first.empty() ? 0 : influences.first.size() - 1;
        out_.line("<vertex_weights count=\"{0}\"><input semantic=\"JOINT\" source=\"#{1}-joints\" "
                  "offset=\"0\"/><input "
                  "semantic=\"WEIGHT\" source=\"#{1}-weights\" offset=\"1\"/>",
                  vertices, id);
        out_.text() += "<vcount>";
        for (std::size_t v = 0; v < vertices; ++v)
            fmt::format_to(std::back_inserter(out_.text()), "{} ",
                           influences.first[v + 1] - influences.first[v]);
        out_.text() += "</vcount><v>";
        for (std::size_t i = 0; i < influences.joints.size(); ++i)
            fmt::format_to(std::back_inserter(out_.text()), "{} {} ", influences.joints[i], i);
        out_.line("</v></vertex_weights>");
    }

    // Times on the file's time line at which a clip's channels of these paths have keys; those of cubic ones
    // closer together.
    std::vector<float> key_times(const scene::Clip& clip, std::uint32_t node, bool weights, bool& steps) const
    {
        std::vector<float> times;
        steps = true;
        for (const scene::Channel& channel : clip.channels) {
            if (channel.node != node || (channel.path == scene::Path::weights) != weights) continue;
            times.insert(times.end(), channel.times.begin(), channel.times.end());
            steps &= channel.interpolation == scene::Interpolation::step;
            if (channel.interpolation != scene::Interpolation::cubic) continue;
            const double first = channel.times.front();
            const auto samples = static_cast<std::size_t>(
                std::ceil((double{channel.times.back()} - first) * samples_a_second));
            for (std::size_t i = 0; i < samples; ++i)
                times.push_back(static_cast<float>(first + static_cast<double>(i) / samples_a_second));
        }
        std::ranges::sort(times);
        times.erase(std::ranges::unique(times).begin(), times.end());
        return times;
    }

    void write_animations()
    {
        scene::Pose pose;
        for (std::uint32_t c = 0; c < scene_.clips.size(); ++c)
            for (std::uint32_t n = 0; n < scene_.nodes.size(); ++n) {
                bool steps = true;
                if (const auto times = key_times(scene_.clips[c], n, false, steps); !times.empty())
                    write_motion(c, n, times, steps, pose);
                if (const auto times = key_times(scene_.clips[c], n, true, steps); !times.empty())
                    write_morphing(c, n, times, steps, pose);
            }
    }

    void write_sampler(const std::string& id, std::uint32_t clip, std::vector<float> times, bool steps,
                       const std::vector<float>& values, std::size_t width, const std::string& target)
    {
        const auto start = static_cast<float>(scene_.clips[clip].start_time);
        for (float& t : times)
            t += start;
        out_.line("<animation id=\"{}\">", id);
        out_.source(id + "-times", times, 1, "TIME");
        out_.source(id + "-values", values, width, width == 1 ? "MORPH_WEIGHT" : "TRANSFORM",
                    width == 1 ? "float" : "float4x4");
        out_.words(id + "-kinds", std::vector<std::string>(times.size(), steps ? "STEP" : "LINEAR"),
                   "Name_array", "INTERPOLATION");
        out_.line("<sampler id=\"{0}-sampler\"><input semantic=\"INPUT\" source=\"#{0}-times\"/><input "
                  "semantic=\"OUTPUT\" "
                  "source=\"#{0}-values\"/><input semantic=\"INTERPOLATION\" "
                  "source=\"#{0}-kinds\"/></sampler><channel "
                  "source=\"#{0}-sampler\" target=\"{1}\"/></animation>",
                  id, target);
    }

    void write_motion(std::uint32_t clip, std::uint32_t node, const std::vector<float>& times, bool steps,
                      scene::Pose& pose)
    {
        std::vector<float> rows;
        for (const float time : times) {
            scene::sample_pose(scene_, clip, double{time}, pose);
            append_rows(scene::to_matrix(pose.local[node]), rows);
        }
        const std::string id = fmt::format("clip-{}-node-{}", clip, node);
        write_sampler(id, clip, times, steps, rows, 16, fmt::format("node-{}/transform", node));
        animations_.emplace_back(clip, id);
    }

    void write_morphing(std::uint32_t clip, std::uint32_t node, const std::vector<float>& times, bool steps,
                        scene::Pose& pose)
    {
        const std::size_t targets = scene_.meshes[scene_.nodes[node].mesh].morph_targets.size();
        for (std::size_t t = 0; t < targets; ++t) {
            std::vector<float> values;
            for (const float time : times) {
                scene::sample_pose(scene_, clip, double{time}, pose);
                values.push_back(pose.morph_weights[pose.first_weight[node] + t]);
            }
            const std::string id = fmt::format("clip-{}-node-{}-weight-{}", clip, node, t);
            write_sampler(id, clip, times, steps, values, 1,
                          fmt::format("{}-weights-array({})", morph_id(node), t));
            animations_.emplace_back(clip, id);
        }
    }

    void write_clips()
    {
        for (std::uint32_t c = 0; c < scene_.clips.size(); ++c) {
            const scene::Clip& clip = scene_.clips[c];
            out_.line("<animation_clip id=\"clip-{}\" name=\"{}\" start=\"{}\" end=\"{}\">", c,
                      escaped(clip.name), clip.start_time, clip.start_time + clip.duration);
            for (const auto& [owner, id] : animations_)
                if (owner == c) out_.line("<instance_animation url=\"#{}\"/>", id);
            out_.line("</animation_clip>");
        }
    }

    void write_nodes(std::uint32_t parent)
    {
        for (std::uint32_t n = parent == none ? 0 : parent + 1; n < scene_.nodes.size(); ++n) {
            const scene::Node& node = scene_.nodes[n];
            if (node.parent != parent) continue;
            out_.line("<node id=\"node-{0}\" sid=\"joint-{0}\" name=\"{1}\" type=\"{2}\">", n,
                      escaped(node.name), is_joint(n) ? "JOINT" : "NODE");
            out_.matrix("matrix", node.matrix ? *node.matrix : scene::to_matrix(node.local));
            if (node.mesh != none) write_instance(n, node);
            write_nodes(n);
            if (!node.visible)
                out_.line(
                    "<extra><technique profile=\"FCOLLADA\"><visibility>0</visibility></technique></extra>");
            out_.line("</node>");
        }
    }

    bool is_joint(std::uint32_t node) const
    {
        return std::ranges::any_of(scene_.skins, [&](const scene::Skin& skin) {
            return std::ranges::find(skin.joints, node) != skin.joints.end();
        });
    }

    // Where the joints are looked for: the topmost ones. A reader may search the whole scene without, but not
    // all do.
    void write_skeletons(const scene::Skin& skin)
    {
        const auto holds = [&](std::uint32_t node) {
            return std::ranges::find(skin.joints, node) != skin.joints.end();
        };
        for (const std::uint32_t joint : skin.joints) {
            std::uint32_t above = scene_.nodes[joint].parent;
            while (above != none && !holds(above))
                above = scene_.nodes[above].parent;
            if (above == none) out_.line("<skeleton>#node-{}</skeleton>", joint);
        }
    }

    void write_instance(std::uint32_t n, const scene::Node& node)
    {
        const scene::Mesh& mesh = scene_.meshes[node.mesh];
        const bool controller = node.skin != none || !mesh.morph_targets.empty();
        const char* kind = controller ? "controller" : "geometry";
        const std::string id = node.skin != none ? fmt::format("skin-{}", n)
                               : controller      ? morph_id(n)
                                                 : fmt::format("mesh-{}", node.mesh);
        out_.line("<instance_{} url=\"#{}\">", kind, id);
        if (node.skin != none) write_skeletons(scene_.skins[node.skin]);
        std::vector<std::uint32_t> bound;
        for (const scene::Primitive& primitive : mesh.primitives)
            if (primitive.material != none && std::ranges::find(bound, primitive.material) == bound.end())
                bound.push_back(primitive.material);
        if (!bound.empty()) out_.line("<bind_material><technique_common>");
        for (const std::uint32_t m : bound) {
            out_.line("<instance_material symbol=\"m{0}\" target=\"#material-{0}\">", m);
            for (int set = 0; set < 2; ++set)
                out_.line(
                    "<bind_vertex_input semantic=\"UV{0}\" input_semantic=\"TEXCOORD\" input_set=\"{0}\"/>",
                    set);
            out_.line("</instance_material>");
        }
        if (!bound.empty()) out_.line("</technique_common></bind_material>");
        out_.line("</instance_{}>", kind);
    }

    const scene::Scene& scene_;
    const std::string& stem_;
    DaeText out_;
    std::vector<NamedFile> files_;
    std::vector<std::pair<std::uint32_t, std::string>> animations_; // clip, id
};

} // namespace

std::vector<NamedFile> write_dae(const scene::Scene& scene, const std::string& stem)
{
    return Writer(scene, stem).run();
}

} // namespace vitrine::exporting
