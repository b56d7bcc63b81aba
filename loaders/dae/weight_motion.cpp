#include "loaders/dae/weight_motion.hpp"

namespace vitrine::dae {

WeightMotion::WeightMotion(const std::vector<Mover>& movers, const Animations& animations,
                           const ClipRange& clip)
    : movers_(movers, animations, clip)
{
    const std::vector<const Curve*> curves = movers_.curves();
    if (curves.empty()) return;
    for (const Curve* curve : curves) {
        straight_ &= curve->only(KeyKind::linear);
        only_steps_ &= curve->only(KeyKind::step) && curve->before != Behaviour::gradient &&
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

} // namespace vitrine::dae
