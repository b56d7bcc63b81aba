#include "vk_renderer/base/options.hpp"

#include <memory>
#include <mutex>
#include <utility>

namespace vitrine::render {

std::filesystem::path default_label_font()
{
    return VITRINE_LABEL_FONT;
}

LogFunction serialized(LogFunction log)
{
    if (!log) return {};
    return [log = std::move(log), mutex = std::make_shared<std::mutex>()](const std::string& line) {
        const std::scoped_lock lock(*mutex);
        log(line);
    };
}

} // namespace vitrine::render
