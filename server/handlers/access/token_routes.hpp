#pragma once
// Handlers of /v1/me and /v1/tokens: who sends the request, and access tokens.

#include "server/routing/route.hpp"

namespace vitrine::server {

HandlerResult get_me(const Request& request, Context& context);
HandlerResult list_tokens(const Request& request, Context& context);
HandlerResult create_token(const Request& request, Context& context);
HandlerResult revoke_token(const Request& request, Context& context);

} // namespace vitrine::server
