#include "vk_renderer/base/options.hpp"

namespace vitrine::render {

std::filesystem::path default_label_font()
{
    return VITRINE_LABEL_FONT;
}

} // namespace vitrine::render
