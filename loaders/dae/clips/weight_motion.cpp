#include "loaders/dae/clips/weight_motion.hpp"

#include <algorithm>
#include <limits>

namespace vitrine::dae {
namespace {

// Of all weights of the mesh; each <morph> counts its own from 0.
std::vector<Mover> movers_of(const MorphedNode& morphed, const Animations& animations)
{
    std::vector<Mover> all;
    for (const MorphWeights& weights : morphed.weights)
        for (Mover mover : animations.movers_of(weights.array)) {
            if (mover.first >= weights.count) continue;
            mover.count = std::min(mover.count, weights.count - mover.first);
            mover.first += weights.first;
            mover.factor *= weights.share;
            all.push_back(mover);
        }
    return all;
}

} // namespace

WeightMotion::WeightMotion(const MorphedNode& morphed, const Animations& animations, const ClipRange& clip)
    : movers_(movers_of(morphed, animations), animations, clip)
{
    const std::vector<const Curve*> curves = movers_.curves();
    if (curves.empty()) return;
    for (const Curve* curve : curves) {
        straight_ &= curve->only({KeyKind::linear});
        only_steps_ &= curve->only({KeyKind::step}) && curve->before != Behaviour::gradient &&
                       curve->after != Behaviour::gradient;
        goes_on_ |= curve->goes_on();
    }
    Window window{clip.start, clip.end};
    if (goes_on_) ends_ = channel_ends(curves, straight_ ? Motion::straight : Motion::additive);
    if (ends_) {
        window = ends_->keys;
        movers_.set_end(window.end);
    }
    for (const Curve* curve : curves)
        complete_ &= add_times(*curve, window, times_);
    sort_times(times_);
}

void WeightMotion::apply_beyond(double time, std::span<double> weights)
{
    movers_.set_end(std::numeric_limits<double>::infinity());
    movers_.apply(time, Side::after, weights);
}

} // namespace vitrine::dae
