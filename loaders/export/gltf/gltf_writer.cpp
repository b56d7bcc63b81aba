#include "loaders/export/gltf/gltf_writer.hpp"

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "loaders/base/stop.hpp"
#include "loaders/export/gltf/glb_container.hpp"
#include "loaders/export/gltf/gltf_animation.hpp"
#include "loaders/export/gltf/gltf_buffer.hpp"
#include "loaders/export/gltf/gltf_materials.hpp"
#include "loaders/export/gltf/gltf_mesh.hpp"
#include "loaders/export/gltf/gltf_skins.hpp"
#include "loaders/export/gltf/gltf_tree.hpp"
#include "loaders/export/png/png.hpp"

namespace vitrine::exporting {
namespace {

using scene::none;

class GltfDocument {
public:
    // stem null: one self-contained buffer; else the buffer and images are files with that stem.
    GltfDocument(const scene::Scene& scene, const std::string* stem, std::optional<scene::VrmKind> vrm = {})
        : scene_(scene), stem_(stem), vrm_(vrm), tree_(scene), drawn_(scene.nodes.size(), false),
          materials_(scene), meshes_(scene, buffer_, materials_, warnings_),
          skins_(scene, tree_, buffer_, warnings_)
    {
    }

    std::string write();
    // The error when the document is incomplete.
    const std::optional<LoadError>& failure() const { return failure_; }
    std::vector<std::byte> take_bytes() { return buffer_.take_bytes(); }
    std::vector<NamedFile> take_files() { return std::move(files_); }
    std::vector<scene::Warning> take_warnings() { return std::move(warnings_); }

private:
    void place_meshes();
    void place_mesh(std::uint32_t node);
    void warn(std::string code, std::string message, std::string where);
    void write_animations();
    void write_tracks(std::span<const GltfTrack> tracks);
    void write_images_and_materials();
    std::vector<std::uint32_t> write_images();
    void write_extensions(const std::vector<std::string>& names);
    void write_buffer();
    void write_warnings();
    bool within_limits();

    const scene::Scene& scene_;
    const std::string* stem_;
    std::optional<scene::VrmKind> vrm_;
    JsonWriter json_;
    GltfBuffer buffer_;
    GltfTree tree_;
    std::vector<scene::Warning> warnings_;
    std::vector<bool> drawn_; // by scene node
    GltfMaterialTable materials_;
    GltfMeshTable meshes_;
    SampleBudget samples_;
    std::optional<LoadError> failure_;
    GltfSkins skins_;
    std::vector<NamedFile> files_;
};

void write_texts(JsonWriter& json, const char* key, std::span<const std::string> texts)
{
    if (texts.empty()) return;
    json.key(key).begin_array();
    for (const auto& text : texts)
        json.json(text);
    json.end_array();
}

void GltfDocument::warn(std::string code, std::string message, std::string where)
{
    warnings_.push_back({std::move(code), std::move(message), std::move(where)});
}

void GltfDocument::place_mesh(std::uint32_t node)
{
    const auto& source = scene_.nodes[node];
    if (meshes_.is_empty(source.mesh)) return;
    const auto* skin = skins_.find_skin(node);
    auto& placed = tree_.node(node);
    const auto mesh = meshes_.write(source.mesh, skin ? &skin->joints : nullptr, source.color);
    if (!mesh) failure_ = mesh.error();
    placed.mesh = mesh.value_or(none);
    if (skin) placed.skin = skin->index;
    drawn_[node] = true;
    if (source.morph_weights.empty()) return;
    placed.weights.assign(meshes_.frames()[source.mesh].frame.size(), 0.0f);
    placed.weights.insert(placed.weights.end(), source.morph_weights.begin(), source.morph_weights.end());
}

void GltfDocument::place_meshes()
{
    bool hidden = false;
    for (std::uint32_t i = 0; i < scene_.nodes.size(); ++i) {
        if (scene_.nodes[i].mesh == none) continue;
        if (!within_limits()) return;
        check_stop();
        if (scene_.nodes[i].visible)
            place_mesh(i);
        else if (!std::exchange(hidden, true))
            warn("invisible_meshes", "glTF has no invisible nodes; they are written without their meshes",
                 fmt::format("/nodes/{}", i));
    }
}

void GltfDocument::write_tracks(std::span<const GltfTrack> tracks)
{
    constexpr std::array paths{"translation", "rotation", "scale", "weights"};
    constexpr std::array<std::uint32_t, 3> components{3, 4, 3};
    constexpr std::array modes{"STEP", "LINEAR", "CUBICSPLINE"};
    JsonWriter channels;
    channels.begin_array();
    std::uint32_t sampler = 0;
    json_.key("samplers").begin_array();
    for (const auto& track : tracks) {
        const auto path = static_cast<std::size_t>(track.path);
        json_.begin_object().member("input", buffer_.times(track.times));
        json_.member("output", track.sparse ? buffer_.sparse(*track.sparse)
                               : track.path == scene::Path::weights
                                   ? buffer_.sparse(track.values)
                                   : buffer_.key_values(track.values, components[path]));
        json_.member("interpolation", modes[static_cast<std::size_t>(track.interpolation)]).end_object();
        channels.begin_object().member("sampler", sampler++).key("target").begin_object();
        channels.member("node", tree_.index(track.node))
            .member("path", paths[path])
            .end_object()
            .end_object();
    }
    json_.end_array().key("channels").json(channels.end_array().take());
}

void GltfDocument::write_animations()
{
    bool any = false;
    for (const auto& clip : scene_.clips) {
        if (!within_limits()) break;
        const auto tracks = gltf_tracks(scene_, clip, meshes_.frames(), drawn_, samples_);
        if (tracks.empty()) continue; // glTF does not allow animations without channels
        if (!std::exchange(any, true)) json_.key("animations").begin_array();
        json_.begin_object().member("name", std::string_view(clip.name));
        write_tracks(tracks);
        json_.end_object();
    }
    if (any) json_.end_array();
}

std::vector<std::uint32_t> GltfDocument::write_images()
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

void GltfDocument::write_extensions(const std::vector<std::string>& names)
{
    if (names.empty()) return;
    json_.key("extensionsUsed").begin_array();
    for (const auto& name : names)
        json_.value(std::string_view(name));
    json_.end_array();
}

void GltfDocument::write_images_and_materials()
{
    const auto looks = write_gltf_materials(scene_, materials_, write_images());
    if (!looks.materials.empty()) json_.key("materials").json(looks.materials);
    if (!looks.textures.empty())
        json_.key("textures").json(looks.textures).key("samplers").json(looks.samplers);
    auto extensions = looks.extensions;
    if (!scene_.variants.empty()) extensions.emplace_back(variants_extension);
    if (vrm_) extensions.emplace_back(vrm_extension(*vrm_));
    write_extensions(extensions);
}

void GltfDocument::write_buffer()
{
    if (buffer_.has_accessors()) json_.key("accessors").json(buffer_.take_accessors());
    if (!buffer_.has_views()) return;
    json_.key("bufferViews").json(buffer_.take_views());
    json_.key("buffers").begin_array().begin_object().member("byteLength", std::uint64_t{buffer_.size()});
    if (stem_) json_.member("uri", *stem_ + ".bin");
    json_.end_object().end_array();
}

void GltfDocument::write_warnings()
{
    if (warnings_.empty()) return;
    json_.key("extras").begin_object().key("warnings").begin_array();
    for (const auto& warning : warnings_) {
        json_.begin_object().member("code", warning.code).member("message", warning.message);
        json_.member("where", warning.where).end_object();
    }
    json_.end_array().end_object();
}

// Sets failure_ when a limit is exceeded. Checked in loops over content that may multiply.
bool GltfDocument::within_limits()
{
    if (!failure_ && buffer_.size() > max_glb_bytes) failure_ = glb_size_error().error();
    if (!failure_ && samples_.is_spent()) failure_ = sample_budget_error().error();
    if (!failure_ && (json_.is_cut() || meshes_.text_bytes() > JsonWriter::max_bytes))
        failure_ = json_size_error().error();
    return !failure_;
}

std::string GltfDocument::write()
{
    json_.begin_object();
    write_asset(scene_.attribution, json_);
    place_meshes();
    if (!within_limits()) return {};
    if (materials_.has_clamped())
        warn("color_clamped", "glTF limits base color factors to 1; larger values are clamped", "/nodes");
    skins_.add_unused();
    tree_.write(json_);
    write_texts(json_, "meshes", meshes_.texts());
    write_texts(json_, "skins", skins_.texts());
    write_animations();
    if (!within_limits()) return {};
    write_images_and_materials();
    write_root_extensions(scene_, vrm_, tree_, json_);
    write_buffer();
    write_warnings();
    json_.end_object();
    within_limits();
    return json_.take();
}

LoadResult<std::vector<std::byte>> write_container(const scene::Scene& scene,
                                                   std::optional<scene::VrmKind> vrm,
                                                   std::vector<scene::Warning>* warnings)
{
    GltfDocument document(scene, nullptr, vrm);
    const auto json = to_bytes(document.write());
    if (document.failure()) return std::unexpected(*document.failure());
    const auto binary = document.take_bytes();
    if (warnings) *warnings = document.take_warnings();
    return make_glb(json, binary);
}

} // namespace

LoadResult<std::vector<std::byte>> write_glb(const scene::Scene& scene, std::vector<scene::Warning>* warnings)
{
    return write_container(scene, {}, warnings);
}

LoadResult<std::vector<std::byte>> write_vrm(const scene::Scene& scene, scene::VrmKind kind)
{
    if (kind != scene::VrmKind::version_0) return write_container(scene, kind, nullptr);
    return write_container(turned_by_half(scene), kind, nullptr);
}

std::vector<NamedFile> write_gltf(const scene::Scene& scene, const std::string& stem)
{
    GltfDocument document(scene, &stem);
    auto json = to_bytes(document.write());
    auto files = document.take_files();
    files.insert(files.begin(), {stem + ".gltf", std::move(json)});
    if (auto binary = document.take_bytes(); !binary.empty())
        files.push_back({stem + ".bin", std::move(binary)});
    return files;
}

} // namespace vitrine::exporting
