#include "server/services/catalog/records.hpp"

#include <array>

namespace vitrine::server {

std::string_view to_string(AssetDocument document)
{
    constexpr std::array<std::string_view, 7> names{"skeleton", "clips",  "materials", "warnings",
                                                    "variants", "bounds", "rig"};
    return names[static_cast<std::size_t>(document)];
}

std::string_view to_string(SimilarityKind kind)
{
    constexpr std::array<std::string_view, 3> names{"mesh", "rig", "motion"};
    return names[static_cast<std::size_t>(kind)];
}

} // namespace vitrine::server
