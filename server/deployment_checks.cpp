#include "server/deployment_checks.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/timex.h>

#include "server/database_options.hpp"
#include "server/net/transport/tls_context.hpp"
#include "server/services/database/dialect.hpp"

namespace vitrine::server {
namespace {

// Leases of jobs are in the time of the database; tokens and sessions expire by that of the server.
constexpr double max_clock_difference = 2.0; // seconds

} // namespace

CheckResult check_database(const std::string& database)
{
    const auto location = database_location(database);
    if (!location) return {location.error(), "correct --database"};
    if (location->empty()) return {"a file of SQLite in the data directory (--database)", {}};
    if (!is_postgres(*location) && !std::filesystem::exists(*location))
        return {fmt::format("{} (created by the first start)", *location), {}};
    const auto found = describe_database(*location);
    if (!found) return {found.error(), "correct --database, or start the database"};
    auto text = fmt::format("{} ({})", *found, printable_location(*location));
    const auto difference = clock_difference(*location);
    if (!difference || std::abs(*difference) <= max_clock_difference) return {text, {}};
    return {
        fmt::format("{}; its clock differs from that of this machine by {:.0f} seconds", text, *difference),
        "run a time service (chrony, systemd-timesyncd) on both machines"};
}

CheckResult check_certificate(const TlsFiles& files)
{
    if (files.certificate.empty()) return {"none (--tls-cert): the server speaks plain HTTP", {}};
    const auto loaded = TlsContext::load(files);
    if (!loaded) return {loaded.error(), "correct --tls-cert and --tls-key"};
    const auto& context = **loaded;
    auto text = context.subject() + " " + context.expiry_text();
    if (context.days_left() < short_tls_expiry) return {text, "renew the certificate"};
    const auto last = missing_issuer(context);
    if (last.empty()) return {text, {}};
    return {fmt::format("{}; the issuer of {} is missing", text, last),
            "append the certificates of the issuers to the file of --tls-cert"};
}

CheckResult check_clock()
{
    timex state{};
    const bool is_kept = ::adjtimex(&state) >= 0 && (state.status & STA_UNSYNC) == 0;
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    return {fmt::format("{:%Y-%m-%d %H:%M:%S} UTC{}", now,
                        is_kept ? ", kept by a time service" : "; the kernel knows of no time service"),
            {}};
}

} // namespace vitrine::server
