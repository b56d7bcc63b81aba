#include "server/services/importing/scene_metadata.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "api/bounds_json.hpp"
#include "api/json_text.hpp"
#include "api/scene_json.hpp"
#include "loaders/base/ascii.hpp"
#include "loaders/base/utf8.hpp"
#include "loaders/scene/bounds/clip_bounds.hpp"
#include "loaders/scene/facts/clip_facts.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "loaders/scene/humanoid/rig_signature.hpp"
#include "loaders/scene/preview/representative_pose.hpp"
#include "loaders/scene/similarity/similarity.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t search_bytes = 1 << 20; // of the names of one kind
constexpr std::size_t max_sampled_poses = 20'000;
constexpr std::array scene_documents{AssetDocument::skeleton, AssetDocument::clips, AssetDocument::materials,
                                     AssetDocument::variants, AssetDocument::rig};

SearchNames search_names(const scene::Scene& scene)
{
    SearchNames names;
    const auto add = [](std::string& text, const std::string& name) {
        if (name.empty() || text.size() + name.size() >= search_bytes) return;
        for (const char c : name) // a name is one line
            text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        text += '\n';
    };
    for (const auto& clip : scene.clips)
        add(names.clips, clip.name);
    for (const auto& material : scene.materials)
        add(names.materials, material.name);
    for (const auto& variant : scene.variants)
        add(names.materials, variant);
    for (const auto* text :
         {&scene.attribution.title, &scene.attribution.author, &scene.attribution.keywords})
        add(names.tags, *text);
    for (const auto node : api::joint_nodes(scene))
        add(names.joints, scene.nodes[node].name);
    return names;
}

// `limit`: number of poses.
api::ClipBoxes bounds_of(const scene::Scene& scene, scene::ClipBounds& bounds, std::uint32_t clip,
                         std::size_t limit)
{
    const auto box = bounds.over(clip, scene::sample_times(scene.clips[clip], 30.0, limit));
    return {.clip = clip, .exact = box.exact, .conservative = box.conservative};
}

std::size_t poses_per_clip(const scene::Scene& scene)
{
    return std::max<std::size_t>(max_sampled_poses / std::max<std::size_t>(scene.clips.size(), 1), 2);
}

std::vector<SimilarityKey> similarity_of(const scene::Scene& scene)
{
    std::vector<SimilarityKey> keys;
    if (const auto surface = scene::surface_signature(scene))
        keys.push_back({.kind = SimilarityKind::mesh,
                        .bucket = scene::bucket_of(*surface),
                        .signature = scene::to_text(*surface)});
    if (const auto rig = scene::rig_likeness(scene))
        for (std::uint32_t part = 0; const auto bucket : scene::buckets_of(*rig)) {
            keys.push_back({.kind = SimilarityKind::rig,
                            .part = part,
                            .bucket = bucket,
                            .signature = part == 0 ? scene::to_text(*rig) : std::string()});
            ++part;
        }
    const auto motions = scene::motion_signatures(scene);
    for (std::uint32_t clip = 0; clip < motions.size(); ++clip)
        if (motions[clip])
            keys.push_back({.kind = SimilarityKind::motion,
                            .part = clip,
                            .bucket = scene::bucket_of(*motions[clip]),
                            .described = clip,
                            .signature = scene::to_text(*motions[clip])});
    return keys;
}

bool is_control(char c)
{
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

// As an asset has it: one line, of a length that people may enter too.
std::string one_line(std::string text, std::size_t bytes)
{
    std::ranges::replace_if(text, is_control, ' ');
    return std::string(ascii::trimmed(truncate_utf8(ascii::trimmed(text), bytes)));
}

// As people may enter it; a truncated URL leads elsewhere. Empty: none.
std::string web_address_of(const std::string& source)
{
    const auto url = ascii::trimmed(source);
    const bool is_kept =
        url.size() <= max_url_bytes && is_web_address(url) && std::ranges::none_of(url, is_control);
    return is_kept ? std::string(url) : std::string();
}

bool is_missing_image(const scene::Warning& warning)
{
    return warning.code == "missing_image" || warning.code == "invalid_image";
}

// What lists filter by.
void describe_filters(const scene::Scene& scene, const std::vector<scene::Warning>& warnings, Metadata& found)
{
    found.file_license = one_line(scene.attribution.license, max_fact_bytes);
    found.file_author = one_line(scene.attribution.author, max_fact_bytes);
    found.file_source_url = web_address_of(scene.attribution.source);
    const auto box = scene::static_bounds_from_origin(scene).box;
    if (!box.empty()) {
        const auto size = glm::dvec3(box.max) - glm::dvec3(box.min);
        found.extent = std::llround(std::min(std::max({size.x, size.y, size.z}) * 1e6, 9e18));
    }
    found.warnings = std::ssize(warnings);
    found.missing_images = std::ranges::count_if(warnings, is_missing_image);
    for (const auto& warning : warnings)
        found.warning_codes.push_back(warning.code);
}

} // namespace

Metadata describe(const scene::Scene& scene, const CheckGate& gate, std::span<const scene::Warning> more,
                  std::span<const api::UserClip> user_clips, const std::stop_token& stop)
{
    const auto facts = scene::compute_all_clip_facts(scene, 1, stop);
    Metadata found;
    found.format = scene.format;
    found.generator = scene.generator;
    found.counts = api::count_contents(scene);
    found.search = search_names(scene);
    auto warnings = scene.warnings;
    warnings.insert(warnings.end(), more.begin(), more.end());
    for (auto& warning : gate_warnings(gate, scene, facts))
        warnings.push_back(std::move(warning));
    for (std::size_t i = 0; i < facts.size(); ++i)
        found.clip_facets.push_back(
            {facts[i].looping.loops, facts[i].root.in_place, facts[i].root.speed, scene.clips[i].duration});
    describe_filters(scene, warnings, found);
    const auto shown =
        scene::select_representative_clip(scene, {.count = scene.clips.size() - user_clips.size()});
    found.summary = api::to_text(api::summary_json(scene, shown, warnings.size()));
    for (const auto document : scene_documents)
        found.documents.emplace_back(document, describe_document(scene, document, user_clips));
    found.similarity = similarity_of(scene);
    found.documents.emplace_back(AssetDocument::warnings, api::to_text(api::warnings_json(warnings)));
    return found;
}

bool is_of_scene(AssetDocument document)
{
    return std::ranges::find(scene_documents, document) != scene_documents.end();
}

std::string describe_document(const scene::Scene& scene, AssetDocument document,
                              std::span<const api::UserClip> user_clips)
{
    switch (document) {
    case AssetDocument::skeleton: return api::skeleton_text(scene);
    case AssetDocument::clips: return api::clips_text(scene, user_clips);
    case AssetDocument::materials: return api::materials_text(scene);
    case AssetDocument::variants: return api::to_text(api::variants_json(scene));
    case AssetDocument::rig: return scene::to_text(scene::rig_signature(scene));
    case AssetDocument::warnings:
    case AssetDocument::bounds: break;
    }
    return {};
}

std::string describe_bounds(const scene::Scene& scene, const std::function<bool(double)>& report_progress)
{
    const auto count = static_cast<std::uint32_t>(scene.clips.size());
    const auto limit = poses_per_clip(scene);
    std::vector<api::ClipBoxes> clips;
    if (count > 0) {
        scene::ClipBounds bounds(scene, scene::rendering_origin(scene));
        for (std::uint32_t clip = 0; clip < count; ++clip) {
            if (!report_progress(static_cast<double>(clip) / count)) return {};
            clips.push_back(bounds_of(scene, bounds, clip, limit));
        }
    }
    return api::bounds_text(scene::static_bounds_from_origin(scene), clips);
}

std::string describe_bounds_of_clips(std::string_view known, const scene::Scene& scene, std::size_t first)
{
    const auto limit = poses_per_clip(scene);
    scene::ClipBounds bounds(scene, scene::rendering_origin(scene));
    std::vector<api::ClipBoxes> clips;
    for (auto clip = static_cast<std::uint32_t>(first); clip < scene.clips.size(); ++clip)
        clips.push_back(bounds_of(scene, bounds, clip, limit));
    return api::replace_clip_bounds(known, first, clips);
}

} // namespace vitrine::server
