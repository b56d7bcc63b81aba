#pragma once

#include "vk_renderer/base/view.hpp"

namespace vitrine::render {

// The camera frames only the model's box.
inline Framing model_framing(const scene::Aabb& model)
{
    return {model, model};
}

} // namespace vitrine::render
