#pragma once
// The tables of the catalog. Migrations run in order, each once, in one transaction; a released one is never
// edited. Written so that PostgreSQL takes the same text but for the few words in Dialect.

#include <soci/soci.h>

namespace vitrine::server {

void migrate(soci::session& sql);

} // namespace vitrine::server
