#include "loaders/worker/formats.hpp"

#include <array>

namespace vitrine::worker {

std::span<const Format> formats()
{
    return {};
}

} // namespace vitrine::worker
