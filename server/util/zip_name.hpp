#pragma once
// Recognizes zip files by name, because uploads have no reliable type.

#include <algorithm>
#include <string_view>

#include "loaders/base/model_formats.hpp"
#include "loaders/io/resource_name.hpp"

namespace vitrine::server {

inline bool is_zip_name(std::string_view name)
{
    return std::ranges::find(archive_extensions(), io::extension_of(name)) != archive_extensions().end();
}

} // namespace vitrine::server
