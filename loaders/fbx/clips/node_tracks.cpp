#include "loaders/fbx/clips/node_tracks.hpp"

#include <algorithm>

namespace vitrine::fbx {
namespace {

using Scales = MotionSource::Scales;
using SharedMotion = std::shared_ptr<const ModelMotion>;

void store(const Vec3Sample& from, std::span<double> value, std::span<double> rate)
{
    for (std::size_t i = 0; i < 3; ++i) {
        const auto axis = static_cast<glm::length_t>(i);
        value[i] = from.value[axis];
        rate[i] = from.rate[axis];
    }
}

enum class ScaledPart : std::uint8_t { translation, scale };

// Translation or scale of a model, times the scales that it inherits.
class ScaledTrack final : public Track {
public:
    ScaledTrack(ScaledPart part, SharedMotion motion, Scales scales)
        : part_(part), motion_(std::move(motion)), scales_(std::move(scales))
    {
        const bool moves = part_ == ScaledPart::translation;
        curves = moves ? motion_->translation_curves() : motion_->scale_curves();
        scales_.append_curves(curves);
        is_plain =
            (moves ? motion_->is_plain_translation() : motion_->is_plain_scale()) && scales_.links.empty();
    }
    std::size_t components() const override { return 3; }
    void sample(double time, TimeSide side, std::span<double> value, std::span<double> rate) const override
    {
        const Vec3Sample own =
            part_ == ScaledPart::translation ? motion_->translation(time, side) : motion_->scale(time, side);
        store(own * scales_.sample(time, side), value, rate);
    }

private:
    ScaledPart part_;
    SharedMotion motion_;
    Scales scales_;
};

class RotationTrack final : public Track {
public:
    explicit RotationTrack(SharedMotion motion) : motion_(std::move(motion))
    {
        curves = motion_->rotation_curves();
        is_plain = motion_->is_plain_rotation();
    }
    std::size_t components() const override { return 4; }
    void sample(double time, TimeSide side, std::span<double> value, std::span<double> rate) const override
    {
        const QuatSample q = motion_->rotation(time, side);
        const double unit = 1.0 / std::max(glm::length(q.value), 1e-300);
        for (std::size_t i = 0; i < 4; ++i) {
            const auto component = static_cast<glm::length_t>(i);
            value[i] = q.value[component] * unit;
            rate[i] = q.rate[component];
        }
    }
    void sample_value(double time, TimeSide side, std::span<double> value) const override
    {
        const glm::dquat q = motion_->rotation(time, side, Rates::no).value;
        const double unit = 1.0 / std::max(glm::length(q), 1e-300);
        for (std::size_t i = 0; i < 4; ++i)
            value[i] = q[static_cast<glm::length_t>(i)] * unit;
    }

private:
    SharedMotion motion_;
};

} // namespace

LoadResult<SharedMotion> MotionSource::find_or_build(std::uint32_t model)
{
    if (const auto found = cache_.find(model); found != cache_.end()) return found->second;
    auto read = ModelMotion::read(document_, animation_, stack_, model);
    if (!read) return std::unexpected(read.error());
    auto motion = std::make_shared<const ModelMotion>(*std::move(read));
    if (tree_.is_link[model]) cache_.emplace(model, motion);
    return motion;
}

LoadResult<Scales> MotionSource::scales(std::uint32_t model, bool whole)
{
    Scales scales;
    for (std::uint32_t at = model; at != no_object; at = tree_.inheritance[at].link) {
        scales.factor *= tree_.inheritance[at].factor;
        if (at == model && !whole) continue;
        auto motion = find_or_build(at);
        if (!motion) return std::unexpected(motion.error());
        scales.links.push_back(*std::move(motion));
    }
    return scales;
}

Vec3Sample Scales::sample(double time, TimeSide side) const
{
    Vec3Sample product{.value = glm::dvec3(factor)};
    for (const SharedMotion& link : links)
        product = product * link->scale(time, side);
    return product;
}

void Scales::append_curves(std::vector<const Curve*>& to) const
{
    for (const SharedMotion& link : links) {
        const auto curves = link->scale_curves();
        to.insert(to.end(), curves.begin(), curves.end());
    }
}

bool Scales::is_keyed() const
{
    return std::ranges::any_of(links, [](const SharedMotion& link) { return link->keyed().scale; });
}

LoadResult<std::vector<NodeTrack>> bake_tracks(MotionSource& motions, const NodeTree& tree,
                                               std::uint32_t node)
{
    const auto [model, part] = tree.sources[node];
    std::vector<NodeTrack> tracks;
    if (part == NodePart::geometry) return tracks;
    auto motion = motions.find_or_build(model);
    if (!motion) return std::unexpected(motion.error());
    const ModelMotion::Parts keyed = (*motion)->keyed();
    const std::uint32_t split_parent = tree.inheritance[model].split_parent;
    auto above =
        split_parent == no_object ? LoadResult<Scales>(Scales()) : motions.scales(split_parent, true);
    if (!above) return std::unexpected(above.error());
    auto inherited = motions.scales(model, false);
    if (!inherited) return std::unexpected(inherited.error());
    const bool scale_moves = keyed.scale || inherited->is_keyed();
    if (part != NodePart::scale) {
        if (keyed.translation || above->is_keyed())
            tracks.push_back(
                {scene::Path::translation,
                 std::make_unique<ScaledTrack>(ScaledPart::translation, *motion, *std::move(above))});
        if (keyed.rotation)
            tracks.push_back({scene::Path::rotation, std::make_unique<RotationTrack>(*motion)});
    }
    if (part != NodePart::unscaled && scale_moves)
        tracks.push_back({scene::Path::scale,
                          std::make_unique<ScaledTrack>(ScaledPart::scale, *motion, *std::move(inherited))});
    return tracks;
}

} // namespace vitrine::fbx
