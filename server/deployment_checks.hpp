#pragma once
// What `vitrine doctor` checks of a deployment: its database, its certificate, its clock. Blocking.

#include <string>

#include "server/net/transport/tls_context.hpp"

namespace vitrine::server {

// An empty fix means that the check passed.
struct CheckResult {
    std::string text;
    std::string fix;
};

// `database`: of --database. Also compares the clocks.
CheckResult check_database(const std::string& database);
CheckResult check_certificate(const TlsFiles& files);
// Whether the kernel knows of a time service; without one the check passes too.
CheckResult check_clock();

} // namespace vitrine::server
