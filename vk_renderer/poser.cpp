#include "vk_renderer/poser.hpp"

#include <algorithm>

namespace vitrine::render {

void Poser::begin(const scene::Scene& scene, const PackedScene& packed, bool skeleton)
{
    scene_ = &scene;
    packed_ = &packed;
    skeleton_ = skeleton;
    if (skeleton) joints_ = skeleton_nodes(scene);
    palettes_.clear();
    values_.clear();
    segments_.clear();
    segment_ends_.clear();
}

void Poser::add(const Moment& moment)
{
    if (moment.clip == scene::none)
        scene::rest_pose(*scene_, pose_);
    else if (moment.clip < scene_->clips.size())
        scene::sample_pose(*scene_, moment.clip, moment.time, pose_);
    else
        throw RenderError("the scene has no such clip");
    const auto first = palettes_.size();
    palettes_.resize(first + packed_->palette_count);
    scene::joint_palette(*scene_, packed_->instances, pose_, std::span(palettes_).subspan(first));
    if (packed_->value_count > 0) {
        values_.insert(values_.end(), pose_.morph_weights.begin(), pose_.morph_weights.end());
        values_.insert(values_.end(), pose_.vertex_frame.begin(), pose_.vertex_frame.end());
    }
    if (skeleton_) append_skeleton(*scene_, joints_, pose_, segments_);
    segment_ends_.push_back(static_cast<std::uint32_t>(segments_.size()));
}

std::span<const scene::PaletteEntry> Poser::palette(std::uint32_t frame) const
{
    return palettes().subspan(std::size_t{frame} * packed_->palette_count, packed_->palette_count);
}

} // namespace vitrine::render
