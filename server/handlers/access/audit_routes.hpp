#pragma once
// Handler of /v1/audit.

#include "server/routing/route.hpp"

namespace vitrine::server {

HandlerResult list_audit(const Request& request, Context& context);

} // namespace vitrine::server
