#include "loaders/gltf/warnings.hpp"

#include <algorithm>

#include "loaders/io/text_reader.hpp"

namespace vitrine::gltf {

void Warnings::add(std::string_view code, std::string message, std::string where)
{
    constexpr int most = 20;
    message = io::to_utf8(message);
    const auto same = [&](const scene::Warning& w) {
        return w.code == code && w.where == where && w.message == message;
    };
    if (std::ranges::any_of(kept_, same)) return;
    auto entry = count_.find(code);
    if (entry == count_.end()) entry = count_.emplace(code, 0).first;
    if (++entry->second > most) return;
    if (entry->second == most) message += " (further ones are not listed)";
    kept_.push_back({std::string(code), std::move(message), std::move(where)});
}

} // namespace vitrine::gltf
