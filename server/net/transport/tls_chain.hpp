#pragma once
// Whether clients can check the certificate of a server.

#include <string>

#include "server/net/transport/tls_context.hpp"

namespace vitrine::server {

// Returns the subject of a certificate whose issuer is neither in the file nor among the authorities of the
// system, although it names an address for it (RFC 5280, 4.2.2.1), as those of public authorities do:
// browsers may fetch the issuer, programs do not. Empty: there is none. Reads the authorities of the system
// (SSL_CERT_FILE), which takes milliseconds.
std::string missing_issuer(const TlsContext& context);

} // namespace vitrine::server
