#include "server/preview/lod_selector.hpp"

namespace vitrine::server {

void LodSelector::record_full_detail(bool moving, double seconds, double frame_interval)
{
    if (seconds > max_full_detail_seconds) {
        late_ = max_consecutive_late;
    } else if (use_lod()) {
        if (!moving && seconds < rest_threshold * frame_interval) late_ = 0;
    } else if (moving) {
        late_ = seconds > frame_interval ? late_ + 1 : 0;
    }
}

} // namespace vitrine::server
