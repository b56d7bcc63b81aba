#include <algorithm>

#include "loaders/io/resource_name.hpp"
#include "loaders/worker/formats.hpp"
#include "loaders/worker/model_extensions.hpp"

namespace vitrine::worker {

LoadResult<const Format*> find_format(std::span<const Format> formats, std::string_view name, Bytes bytes)
{
    for (const auto& format : formats)
        if (format.sniff != nullptr && format.sniff(bytes)) return &format;
    const auto extension = io::extension_of(name);
    for (const auto& format : formats)
        if (std::ranges::find(format.extensions, extension) != format.extensions.end()) return &format;
    if (is_model_extension(extension))
        return fail(LoadErrc::unsupported, {}, extension + " files cannot be loaded by this version");
    return fail(LoadErrc::unknown_format, {}, "neither the name nor the first bytes tell a model format");
}

} // namespace vitrine::worker
