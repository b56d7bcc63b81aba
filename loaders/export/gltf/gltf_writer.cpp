#include "loaders/export/gltf/gltf_writer.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

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

class Document {
public:
    // stem null: one self-contained buffer; else the buffer and images are files with that stem.
    Document(const scene::Scene& scene, const std::string* stem)
        : scene_(scene), stem_(stem), tree_(scene), meshes_(scene.meshes.size()),
          frames_(scene.meshes.size()), drawn_(scene.nodes.size(), false), materials_(scene),
          skins_(scene, tree_, buffer_, warnings_)
    {
    }

    std::string write();
    // The error when the document is incomplete.
    const std::optional<LoadError>& refused() const { return refused_; }
    std::vector<std::byte> take_bytes() { return buffer_.take_bytes(); }
    std::vector<NamedFile> take_files() { return std::move(files_); }
    std::vector<scene::Warning> take_warnings() { return std::move(warnings_); }

private:
    void place_meshes();
    void place_mesh(std::uint32_t node);
    std::uint32_t mesh_index(std::uint32_t mesh, const GltfSkin* skin, const glm::vec4& color);
    GltfMesh& mesh_of(std::uint32_t mesh);
    void warn(std::string code, std::string message, std::string where);
    void warn_of_losses(const InfluenceLosses& losses, std::uint32_t mesh);
    void write_animations();
    void write_tracks(std::span<const GltfTrack> tracks);
    void write_images_and_materials();
    std::vector<std::uint32_t> write_images();
    void write_extensions(const std::vector<std::string>& names);
    void write_variants();
    void write_buffer();
    void write_warnings();
    bool goes_on();

    const scene::Scene& scene_;
    const std::string* stem_;
    JsonWriter json_;
    GltfBuffer buffer_;
    GltfTree tree_;
    std::vector<std::unique_ptr<GltfMesh>> meshes_; // by scene mesh; created when it is first drawn
    std::vector<FrameTargets> frames_;              // by scene mesh
    std::vector<bool> drawn_;                       // by scene node
    GltfMaterialTable materials_;
    // By scene mesh, with a skin its influence layout, and the color of the node that draws it.
    std::map<std::tuple<std::uint32_t, std::optional<InfluenceLayout>, std::array<float, 4>>, std::uint32_t>
        written_meshes_;
    std::vector<std::string> mesh_texts_;
    std::size_t mesh_text_bytes_ = 0;
    SampleBudget samples_;
    std::optional<LoadError> refused_;
    std::vector<scene::Warning> warnings_;
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

void Document::warn(std::string code, std::string message, std::string where)
{
    warnings_.push_back({std::move(code), std::move(message), std::move(where)});
}

void Document::warn_of_losses(const InfluenceLosses& losses, std::uint32_t mesh)
{
    const auto where = fmt::format("/meshes/{}", mesh);
    if (losses.negative)
        warn("negative_weights", "glTF does not allow negative weights; they are dropped", where);
    if (losses.not_normalised)
        warn("weights_normalised", "glTF requires weights that sum to 1; other sums are normalized", where);
}

GltfMesh& Document::mesh_of(std::uint32_t mesh)
{
    if (!meshes_[mesh]) {
        meshes_[mesh] = std::make_unique<GltfMesh>(scene_, mesh, buffer_);
        frames_[mesh] = meshes_[mesh]->frames();
    }
    return *meshes_[mesh];
}

std::uint32_t Document::mesh_index(std::uint32_t mesh, const GltfSkin* skin, const glm::vec4& color)
{
    const std::tuple key(mesh, skin ? std::optional(layout_of(skin->joints)) : std::nullopt,
                         std::array{color.x, color.y, color.z, color.w});
    const auto known = written_meshes_.find(key);
    if (known != written_meshes_.end()) return known->second;
    InfluenceLosses losses;
    auto text = mesh_of(mesh).write(skin ? &skin->joints : nullptr, color, materials_, losses);
    if (!text) {
        refused_ = std::move(text.error());
        return none;
    }
    mesh_text_bytes_ += text->size();
    mesh_texts_.push_back(std::move(*text));
    warn_of_losses(losses, mesh);
    return written_meshes_[key] = static_cast<std::uint32_t>(mesh_texts_.size() - 1);
}

void Document::place_mesh(std::uint32_t node)
{
    const auto& source = scene_.nodes[node];
    if (mesh_of(source.mesh).empty()) return;
    const auto* skin = skins_.skin_of(node);
    auto& placed = tree_.node(node);
    placed.mesh = mesh_index(source.mesh, skin, source.color);
    if (skin) placed.skin = skin->index;
    drawn_[node] = true;
    if (source.morph_weights.empty()) return;
    placed.weights.assign(frames_[source.mesh].frame.size(), 0.0f);
    placed.weights.insert(placed.weights.end(), source.morph_weights.begin(), source.morph_weights.end());
}

void Document::place_meshes()
{
    bool hidden = false;
    for (std::uint32_t i = 0; i < scene_.nodes.size(); ++i) {
        if (scene_.nodes[i].mesh == none) continue;
        if (!goes_on()) return;
        if (scene_.nodes[i].visible)
            place_mesh(i);
        else if (!std::exchange(hidden, true))
            warn("invisible_meshes", "glTF has no invisible nodes; they are written without their meshes",
                 fmt::format("/nodes/{}", i));
    }
}

void Document::write_tracks(std::span<const GltfTrack> tracks)
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

void Document::write_animations()
{
    bool any = false;
    for (const auto& clip : scene_.clips) {
        if (!goes_on()) break;
        const auto tracks = gltf_tracks(scene_, clip, frames_, drawn_, samples_);
        if (tracks.empty()) continue; // glTF does not allow animations without channels
        if (!std::exchange(any, true)) json_.key("animations").begin_array();
        json_.begin_object().member("name", std::string_view(clip.name));
        write_tracks(tracks);
        json_.end_object();
    }
    if (any) json_.end_array();
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
    const auto looks = write_gltf_materials(scene_, materials_, write_images());
    if (!looks.materials.empty()) json_.key("materials").json(looks.materials);
    if (!looks.textures.empty())
        json_.key("textures").json(looks.textures).key("samplers").json(looks.samplers);
    auto extensions = looks.extensions;
    if (!scene_.variants.empty()) extensions.emplace_back(variants_extension);
    write_extensions(extensions);
}

void Document::write_variants()
{
    if (scene_.variants.empty()) return;
    json_.key("extensions").begin_object().key(variants_extension).begin_object();
    json_.key("variants").begin_array();
    for (const auto& name : scene_.variants)
        json_.begin_object().member("name", std::string_view(name)).end_object();
    json_.end_array().end_object().end_object();
}

void Document::write_buffer()
{
    if (buffer_.has_accessors()) json_.key("accessors").json(buffer_.take_accessors());
    if (!buffer_.has_views()) return;
    json_.key("bufferViews").json(buffer_.take_views());
    json_.key("buffers").begin_array().begin_object().member("byteLength", std::uint64_t{buffer_.size()});
    if (stem_) json_.member("uri", *stem_ + ".bin");
    json_.end_object().end_array();
}

void Document::write_warnings()
{
    if (warnings_.empty()) return;
    json_.key("extras").begin_object().key("warnings").begin_array();
    for (const auto& warning : warnings_) {
        json_.begin_object().member("code", warning.code).member("message", warning.message);
        json_.member("where", warning.where).end_object();
    }
    json_.end_array().end_object();
}

// Checked in loops over content that may multiply.
bool Document::goes_on()
{
    if (!refused_ && buffer_.size() > max_glb_bytes) refused_ = glb_size_error().error();
    if (!refused_ && samples_.is_spent()) refused_ = sample_budget_error().error();
    if (!refused_ && (json_.is_cut() || mesh_text_bytes_ > JsonWriter::max_bytes))
        refused_ = json_size_error().error();
    return !refused_;
}

std::string Document::write()
{
    json_.begin_object().key("asset").begin_object();
    json_.member("version", "2.0").member("generator", "Vitrine").end_object();
    place_meshes();
    if (!goes_on()) return {};
    if (materials_.has_clamped())
        warn("color_clamped", "glTF's base colors end at 1; nodes that multiply them beyond that do not",
             "/nodes");
    skins_.add_unused();
    tree_.write(json_);
    write_texts(json_, "meshes", mesh_texts_);
    write_texts(json_, "skins", skins_.texts());
    write_animations();
    if (!goes_on()) return {};
    write_images_and_materials();
    write_variants();
    write_buffer();
    write_warnings();
    json_.end_object();
    goes_on();
    return json_.take();
}

} // namespace

LoadResult<std::vector<std::byte>> write_glb(const scene::Scene& scene, std::vector<scene::Warning>* warnings)
{
    Document document(scene, nullptr);
    const auto json = to_bytes(document.write());
    if (document.refused()) return std::unexpected(*document.refused());
    const auto binary = document.take_bytes();
    if (warnings) *warnings = document.take_warnings();
    return make_glb(json, binary);
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
