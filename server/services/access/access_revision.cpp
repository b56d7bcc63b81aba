#include "server/services/access/access_revision.hpp"

#include "server/services/database/database_connections.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {

void note_access_change(DatabaseConnection& sql)
{
    const auto revision = new_id("revision");
    sql << "INSERT INTO catalog_settings (name, value) VALUES ('access_revision', :value) "
           "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        use(revision);
    send_signal(sql, access_topic);
}

std::string access_revision(DatabaseConnections& database)
{
    return database.read([](DatabaseConnection& sql) {
        std::string revision;
        sql << "SELECT value FROM catalog_settings WHERE name = 'access_revision'", into(revision);
        return sql.got_data() ? revision : std::string();
    });
}

} // namespace vitrine::server
