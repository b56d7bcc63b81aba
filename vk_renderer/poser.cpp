#include "vk_renderer/poser.hpp"

#include <algorithm>
#include <array>

#include "loaders/scene/dual_quaternion.hpp"

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
    if (!packed_->dual_instances.empty()) add_rotations(std::span(palettes_).subspan(first));
    if (skeleton_) append_skeleton(*scene_, joints_, pose_, segments_);
    segment_ends_.push_back(static_cast<std::uint32_t>(segments_.size()));
}

// Four values for each palette entry, zeros where no instance reads them.
void Poser::add_rotations(std::span<const scene::PaletteEntry> palette)
{
    const auto begin = values_.size();
    values_.resize(begin + 4 * palette.size());
    for (const auto index : packed_->dual_instances) {
        const auto& instance = packed_->instances[index];
        for (auto entry = instance.first_palette; entry < instance.first_palette + instance.palette_count;
             ++entry) {
            const glm::quat q(scene::nearest_rotation(palette[entry]));
            std::ranges::copy(std::array{q.x, q.y, q.z, q.w},
                              values_.begin() + static_cast<std::ptrdiff_t>(begin + 4 * entry));
        }
    }
}

std::span<const scene::PaletteEntry> Poser::palette(std::uint32_t frame) const
{
    return palettes().subspan(std::size_t{frame} * packed_->palette_count, packed_->palette_count);
}

} // namespace vitrine::render
