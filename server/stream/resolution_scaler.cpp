#include "server/stream/resolution_scaler.hpp"

#include <algorithm>
#include <cmath>

namespace vitrine::server {

// A still of every triangle says little of what moves; it has to do until something moved.
void ResolutionScaler::record(bool moving, double pixels, double seconds)
{
    if (!moving && measured_in_motion_) return;
    const double cost = seconds / std::max(small_picture, pixels);
    const bool first = pixel_cost_ == 0.0 || moving != measured_in_motion_;
    measured_in_motion_ = moving;
    pixel_cost_ = first ? cost : pixel_cost_ + smoothing_factor * (cost - pixel_cost_);
}

double ResolutionScaler::scale_for_motion(double pixels, bool is_dragging)
{
    const double budget = is_dragging ? drag_budget_s : playback_budget_s;
    const double fitting = std::sqrt(budget / std::max(budget, pixel_cost_ * pixels));
    if (scale_ > fitting * 1.1 || scale_ < fitting * step * 0.9) {
        scale_ = 1.0;
        while (scale_ > fitting && scale_ > least)
            scale_ *= step;
    }
    return std::max(scale_, least);
}

} // namespace vitrine::server
