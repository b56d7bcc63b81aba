#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// versions.up_axis: a word of loaders/scene/geometry/up_axis.hpp; empty: as the file or its format declares.
std::vector<std::string> up_axes_migration()
{
    return {"ALTER TABLE versions ADD COLUMN up_axis TEXT NOT NULL DEFAULT ''"};
}

} // namespace vitrine::server
