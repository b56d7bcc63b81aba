#pragma once
// Recognizes zip files by name, because uploads have no reliable type. Games of id Software use .pk3 and
// .pk4.

#include <string_view>

#include "loaders/io/resource_name.hpp"

namespace vitrine::server {

inline bool is_zip_name(std::string_view name)
{
    const auto extension = io::extension_of(name);
    return extension == ".zip" || extension == ".pk3" || extension == ".pk4";
}

} // namespace vitrine::server
