#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// The audit log (services/audit).
std::vector<std::string> audit_migration()
{
    return {R"(CREATE TABLE audit_log (
            id TEXT PRIMARY KEY,
            time BIGINT NOT NULL,
            principal TEXT NOT NULL,
            address TEXT NOT NULL,
            action TEXT NOT NULL,
            subject TEXT NOT NULL,
            detail TEXT NOT NULL))",
            "CREATE INDEX audit_log_by_time ON audit_log (time, id)",
            "CREATE INDEX audit_log_by_action ON audit_log (action, time, id)",
            "CREATE INDEX audit_log_by_principal ON audit_log (principal, time, id)"};
}

} // namespace vitrine::server
