#include "server/stream/scale_choice.hpp"

#include <algorithm>
#include <cmath>

namespace vitrine::server {

// A still of every triangle says little of what moves; it has to do until something moved.
void ScaleChoice::took(bool moving, double pixels, double seconds)
{
    if (!moving && of_what_moves_) return;
    const double cost = seconds / std::max(small_picture, pixels);
    const bool first = pixel_cost_ == 0.0 || moving != of_what_moves_;
    of_what_moves_ = moving;
    pixel_cost_ = first ? cost : pixel_cost_ + share_of_new * (cost - pixel_cost_);
}

double ScaleChoice::of_moving(double pixels, bool drags)
{
    const double budget = drags ? dragged_s : played_s;
    const double fitting = std::sqrt(budget / std::max(budget, pixel_cost_ * pixels));
    if (scale_ > fitting * 1.1 || scale_ < fitting * step * 0.9) {
        scale_ = 1.0;
        while (scale_ > fitting && scale_ > least)
            scale_ *= step;
    }
    return std::max(scale_, least);
}

} // namespace vitrine::server
