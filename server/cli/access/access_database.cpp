#include "server/cli/access/access_database.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "server/config.hpp"
#include "server/config_file.hpp"
#include "server/database_options.hpp"
#include "server/services/database/dialect.hpp"

namespace vitrine::cli {

void declare_database(CLI::App& app, AccessDatabase& place)
{
    server::declare_config_file(app, place.config);
    app.add_option("--data", place.data, "Data folder of the server; default: ~/.local/share/vitrine")
        ->envname("VITRINE_DATA");
    server::declare_database(app, place.database);
}

server::DatabaseConnections open_database(const AccessDatabase& place)
{
    const auto location = server::database_location(place.database);
    if (!location) throw std::runtime_error(location.error());
    if (server::is_postgres(*location)) return {server::make_dialect(*location), 1};
    const auto data = place.data.empty() ? server::default_data() : place.data;
    const auto file = location->empty() ? data / server::catalog_file : std::filesystem::path(*location);
    if (!std::filesystem::is_regular_file(file))
        throw std::runtime_error(
            fmt::format("there is no catalog {}: start the server once, or name the place", file.native()));
    return {server::make_dialect(file), 1};
}

} // namespace vitrine::cli
