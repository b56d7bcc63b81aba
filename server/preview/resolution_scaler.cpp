#include "server/preview/resolution_scaler.hpp"

#include <algorithm>
#include <cmath>

namespace vitrine::server {

// A still with all triangles is a poor estimate for motion; it is used until a moving frame was measured.
void ResolutionScaler::record(bool moving, double pixels, double seconds)
{
    if (!moving && measured_in_motion_) return;
    const double cost = seconds / std::max(min_cost_pixels, pixels);
    const bool first = pixel_cost_ == 0.0 || moving != measured_in_motion_;
    measured_in_motion_ = moving;
    pixel_cost_ = first ? cost : pixel_cost_ + smoothing_factor * (cost - pixel_cost_);
    frames_within_budget_ = std::min(frames_within_budget_ + 1, affordable_frames);
}

double ResolutionScaler::scale_for_motion(double pixels, bool is_dragging)
{
    const double budget = is_dragging ? drag_budget_s : playback_budget_s;
    const double max_scale = std::sqrt(budget / std::max(budget, pixel_cost_ * pixels));
    if (max_scale < 1.0) frames_within_budget_ = 0;
    if (frames_within_budget_ >= affordable_frames) scale_ = 1.0;
    if (scale_ > max_scale * 1.1 || scale_ < max_scale * scale_step * 0.9) {
        scale_ = 1.0;
        while (scale_ > max_scale && scale_ > min_scale)
            scale_ *= scale_step;
    }
    const double at_full_rate = pixel_cost_ * pixels * full_rate_scale * full_rate_scale;
    return std::max(scale_, at_full_rate <= full_rate_s ? full_rate_scale : min_scale);
}

} // namespace vitrine::server
