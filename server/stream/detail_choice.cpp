#include "server/stream/detail_choice.hpp"

namespace vitrine::server {

void DetailChoice::drew_all(bool moving, double seconds, double beat)
{
    if (fewer()) {
        if (!moving && seconds < easy * beat) late_ = 0;
    } else if (moving) {
        late_ = seconds > beat ? late_ + 1 : 0;
    }
}

} // namespace vitrine::server
