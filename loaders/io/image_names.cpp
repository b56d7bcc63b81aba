#include "loaders/io/image_names.hpp"

#include <algorithm>

#include "loaders/io/resource_name.hpp"

namespace vitrine::io {

bool is_image_name(std::string_view name)
{
    return std::ranges::find(image_extensions, extension_of(name)) != image_extensions.end();
}

bool is_undecodable_image_name(std::string_view name)
{
    return std::ranges::find(undecodable_image_extensions, extension_of(name)) !=
           undecodable_image_extensions.end();
}

} // namespace vitrine::io
