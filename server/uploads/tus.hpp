#pragma once
// Handlers of /v1/uploads: resumable uploads by tus 1.0.0 (https://tus.io/protocols/resumable-upload) with
// the extensions creation, creation-with-upload, checksum, expiration, termination and concatenation.

#include "server/routing/route.hpp"

namespace vitrine::server {

HandlerResult get_upload_options(const Request& request, Context& context);
asio::awaitable<HandlerResult> create_upload(Request& request, BodySource& body, Context& context);
// Answers HEAD, which tus defines, and GET, which is Vitrine's own: the same as JSON.
HandlerResult get_upload(const Request& request, Context& context);
asio::awaitable<HandlerResult> append_upload(Request& request, BodySource& body, Context& context);
HandlerResult delete_upload(const Request& request, Context& context);

} // namespace vitrine::server
