#include "server/routing/fields/security_headers.hpp"

namespace vitrine::server {

void add_security_headers(Response& response)
{
    auto& headers = response.headers;
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "same-origin");
    headers.set("X-Frame-Options", "SAMEORIGIN");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    // 'unsafe-inline' for the <style> elements of /docs and /docs/api; the web client needs none.
    headers.set("Content-Security-Policy",
                "default-src 'self'; img-src 'self' blob: data:; connect-src 'self'; style-src 'self' "
                "'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'");
}

} // namespace vitrine::server
