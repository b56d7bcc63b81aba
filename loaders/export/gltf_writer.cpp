#include "loaders/export/gltf_writer.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include <fmt/format.h>
#include <glm/gtc/type_ptr.hpp>

#include "loaders/export/gltf_buffer.hpp"
#include "loaders/export/gltf_materials.hpp"
#include "loaders/export/gltf_mesh.hpp"
#include "loaders/export/png.hpp"

namespace vitrine::exporting {

namespace {

using scene::none;

class Document {
public:
    // stem null: one self-contained buffer; else the buffer and the images are files of that name.
    Document(const scene::Scene& scene, const std::string* stem) : scene_(scene), stem_(stem)
    {
        find_follow_nodes();
    }

    std::string write();
    std::vector<std::byte> take_bytes() { return buffer_.take_bytes(); }
    std::vector<NamedFile> take_files() { return std::move(files_); }

private:
    void find_follow_nodes();
    void write_nodes();
    void write_node(std::uint32_t index, const std::vector<std::vector<std::uint32_t>>& children);
    void write_meshes();
    void write_skins();
    void write_skin(const scene::Skin& skin, std::uint32_t follow_node);
    void write_animations();
    void write_channels(const scene::Clip& clip);
    void write_images_and_materials();
    std::vector<std::uint32_t> write_images();
    void write_extensions(const std::vector<std::string>& names);
    void write_buffer();
    // The first node that draws the mesh with a skin.
    std::uint32_t skinned_node(std::uint32_t mesh) const;

    const scene::Scene& scene_;
    const std::string* stem_;
    std::vector<std::uint32_t>
        follow_nodes_;    // by skin: the node that becomes a joint for loose vertices, or none
    bool joined_ = false; // all roots under one more node
    JsonWriter json_;
    GltfBuffer buffer_;
    std::vector<NamedFile> files_;
};

std::span<const float> floats(const glm::vec3& v)
{
    return {glm::value_ptr(v), 3};
}

void write_placement(const scene::Node& node, JsonWriter& json)
{
    if (node.matrix) {
        json.member("matrix", std::span<const float>(glm::value_ptr(*node.matrix), 16));
        return;
    }
    const auto& [t, r, s] = node.local;
    const std::array rotation{r.x, r.y, r.z, r.w};
    if (t != glm::vec3(0)) json.member("translation", floats(t));
    if (r != glm::quat(1, 0, 0, 0)) json.member("rotation", std::span<const float>(rotation));
    if (s != glm::vec3(1)) json.member("scale", floats(s));
}

void write_list(JsonWriter& json, const char* key, const std::vector<std::uint32_t>& list)
{
    if (list.empty()) return;
    json.key(key).begin_array();
    for (const auto item : list)
        json.value(item);
    json.end_array();
}

std::uint32_t Document::skinned_node(std::uint32_t mesh) const
{
    const auto draws = [mesh](const scene::Node& node) { return node.mesh == mesh && node.skin != none; };
    const auto found = std::ranges::find_if(scene_.nodes, draws);
    return found == scene_.nodes.end() ? none : static_cast<std::uint32_t>(found - scene_.nodes.begin());
}

void Document::find_follow_nodes()
{
    follow_nodes_.assign(scene_.skins.size(), none);
    for (std::uint32_t i = 0; i < scene_.meshes.size(); ++i)
        if (const auto node = skinned_node(i); node != none && has_loose_vertices(scene_.meshes[i])) {
            follow_nodes_[scene_.nodes[node].skin] = node;
            joined_ = true;
        }
}

void Document::write_node(std::uint32_t index, const std::vector<std::vector<std::uint32_t>>& children)
{
    const auto& node = scene_.nodes[index];
    json_.begin_object();
    if (!node.name.empty()) json_.member("name", std::string_view(node.name));
    write_placement(node, json_);
    if (node.mesh != none && node.visible) {
        json_.member("mesh", node.mesh);
        if (node.skin != none) json_.member("skin", node.skin);
        if (!node.morph_weights.empty()) json_.member("weights", std::span<const float>(node.morph_weights));
    }
    write_list(json_, "children", children[index]);
    json_.end_object();
}

void Document::write_nodes()
{
    if (scene_.nodes.empty()) return;
    std::vector<std::vector<std::uint32_t>> children(scene_.nodes.size());
    std::vector<std::uint32_t> roots, top{static_cast<std::uint32_t>(scene_.nodes.size())};
    for (std::uint32_t i = 0; i < scene_.nodes.size(); ++i) {
        const auto parent = scene_.nodes[i].parent;
        (parent == none ? roots : children[parent]).push_back(i);
    }
    json_.key("nodes").begin_array();
    for (std::uint32_t i = 0; i < scene_.nodes.size(); ++i)
        write_node(i, children);
    if (joined_) { // joints of one skin must have a common root (glTF 2.0, 3.7.3.1)
        json_.begin_object().member("name", "scene");
        write_list(json_, "children", roots);
        json_.end_object();
    }
    json_.end_array().key("scenes").begin_array().begin_object();
    write_list(json_, "nodes", joined_ ? top : roots);
    json_.end_object().end_array().member("scene", 0u);
}

void Document::write_meshes()
{
    if (scene_.meshes.empty()) return;
    json_.key("meshes").begin_array();
    for (std::uint32_t i = 0; i < scene_.meshes.size(); ++i) {
        const auto node = skinned_node(i);
        const auto follow = node == none ? 0 : scene_.skins[scene_.nodes[node].skin].joints.size();
        json_.json(
            write_gltf_mesh(scene_.meshes[i], node != none, static_cast<std::uint16_t>(follow), buffer_));
    }
    json_.end_array();
}

void Document::write_skin(const scene::Skin& skin, std::uint32_t follow_node)
{
    auto joints = skin.joints;
    auto inverse_bind = skin.inverse_bind;
    if (follow_node != none) {
        joints.push_back(follow_node);
        inverse_bind.emplace_back(1.0f);
    }
    json_.begin_object().member("name", std::string_view(skin.name));
    write_list(json_, "joints", joints);
    json_.member("inverseBindMatrices", buffer_.mat4s(inverse_bind)).end_object();
}

void Document::write_skins()
{
    if (scene_.skins.empty()) return;
    json_.key("skins").begin_array();
    for (std::uint32_t i = 0; i < scene_.skins.size(); ++i)
        write_skin(scene_.skins[i], follow_nodes_[i]);
    json_.end_array();
}

bool is_written(const scene::Channel& channel)
{
    return channel.path != scene::Path::vertex_frame && !channel.times.empty() && !channel.values.empty();
}

void Document::write_channels(const scene::Clip& clip)
{
    constexpr std::array paths{"translation", "rotation", "scale", "weights"};
    constexpr std::array<std::uint32_t, 4> components{3, 4, 3, 1};
    constexpr std::array modes{"STEP", "LINEAR", "CUBICSPLINE"};
    JsonWriter channels;
    channels.begin_array();
    std::uint32_t sampler = 0;
    json_.key("samplers").begin_array();
    for (const auto& channel : clip.channels) {
        if (!is_written(channel)) continue;
        const auto path = static_cast<std::size_t>(channel.path);
        json_.begin_object().member("input", buffer_.times(channel.times));
        json_.member("output", buffer_.key_values(channel.values, components[path]));
        json_.member("interpolation", modes[static_cast<std::size_t>(channel.interpolation)]).end_object();
        channels.begin_object().member("sampler", sampler++).key("target").begin_object();
        channels.member("node", channel.node).member("path", paths[path]).end_object().end_object();
    }
    json_.end_array().key("channels").json(channels.end_array().take());
}

void Document::write_animations()
{
    const auto is_empty = [](const scene::Clip& clip) {
        return std::ranges::none_of(clip.channels, is_written);
    };
    if (std::ranges::all_of(scene_.clips, is_empty)) return;
    json_.key("animations").begin_array();
    for (const auto& clip : scene_.clips) {
        if (is_empty(clip)) continue;
        json_.begin_object().member("name", std::string_view(clip.name));
        write_channels(clip);
        json_.end_object();
    }
    json_.end_array();
}

std::vector<std::uint32_t> Document::write_images()
{
    std::vector<std::uint32_t> index(scene_.images.size(), none);
    std::uint32_t written = 0;
    JsonWriter images;
    images.begin_array();
    for (std::size_t i = 0; i < scene_.images.size(); ++i) {
        const auto& image = scene_.images[i];
        if (image.pixels.empty()) continue;
        index[i] = written++;
        images.begin_object().member("name", std::string_view(image.name));
        if (stem_) {
            files_.push_back({fmt::format("{}_{}.png", *stem_, i), write_png(image)});
            images.member("uri", std::string_view(files_.back().name));
        } else
            images.member("bufferView", buffer_.view(write_png(image))).member("mimeType", "image/png");
        images.end_object();
    }
    if (written > 0) json_.key("images").json(images.end_array().take());
    return index;
}

void Document::write_extensions(const std::vector<std::string>& names)
{
    if (names.empty()) return;
    json_.key("extensionsUsed").begin_array();
    for (const auto& name : names)
        json_.value(std::string_view(name));
    json_.end_array();
}

void Document::write_images_and_materials()
{
    const auto looks = write_gltf_materials(scene_, write_images());
    if (!looks.materials.empty()) json_.key("materials").json(looks.materials);
    if (!looks.textures.empty())
        json_.key("textures").json(looks.textures).key("samplers").json(looks.samplers);
    write_extensions(looks.extensions);
}

void Document::write_buffer()
{
    json_.key("accessors").json(buffer_.take_accessors()).key("bufferViews").json(buffer_.take_views());
    json_.key("buffers").begin_array().begin_object().member("byteLength", std::uint64_t{buffer_.size()});
    if (stem_) json_.member("uri", *stem_ + ".bin");
    json_.end_object().end_array();
}

std::string Document::write()
{
    json_.begin_object().key("asset").begin_object();
    json_.member("version", "2.0").member("generator", "Vitrine").end_object();
    write_nodes();
    write_meshes();
    write_skins();
    write_animations();
    write_images_and_materials();
    if (buffer_.size() > 0) write_buffer();
    return json_.end_object().take();
}

void append_word(std::vector<std::byte>& out, std::uint64_t word)
{
    const auto narrow = static_cast<std::uint32_t>(word);
    const auto* bytes = reinterpret_cast<const std::byte*>(&narrow);
    out.insert(out.end(), bytes, bytes + sizeof narrow);
}

void append_chunk(std::vector<std::byte>& out, std::uint32_t type, std::span<const std::byte> bytes,
                  std::byte padding)
{
    const auto padded = (bytes.size() + 3) / 4 * 4;
    append_word(out, padded);
    append_word(out, type);
    out.insert(out.end(), bytes.begin(), bytes.end());
    out.insert(out.end(), padded - bytes.size(), padding);
}

} // namespace

// Container of glTF 2.0, chapter 4: header, JSON chunk padded with spaces, binary chunk padded with zeros.
std::vector<std::byte> write_glb(const scene::Scene& scene)
{
    constexpr std::uint32_t magic = 0x46546c67, version = 2, json_chunk = 0x4e4f534a,
                            binary_chunk = 0x004e4942;
    Document document(scene, nullptr);
    const auto json = to_bytes(document.write());
    const auto binary = document.take_bytes();
    const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
    std::vector<std::byte> out;
    append_word(out, magic);
    append_word(out, version);
    append_word(out, 20 + padded(json.size()) + (binary.empty() ? 0 : 8 + padded(binary.size())));
    append_chunk(out, json_chunk, json, std::byte{' '});
    if (!binary.empty()) append_chunk(out, binary_chunk, binary, std::byte{0});
    return out;
}

std::vector<NamedFile> write_gltf(const scene::Scene& scene, const std::string& stem)
{
    Document document(scene, &stem);
    auto json = to_bytes(document.write());
    auto files = document.take_files();
    files.insert(files.begin(), {stem + ".gltf", std::move(json)});
    if (auto binary = document.take_bytes(); !binary.empty())
        files.push_back({stem + ".bin", std::move(binary)});
    return files;
}

} // namespace vitrine::exporting
