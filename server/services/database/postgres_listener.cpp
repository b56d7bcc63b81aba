#include "server/services/database/postgres_listener.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include <poll.h>

#include <soci/postgresql/soci-postgresql.h>

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

constexpr auto stop_poll_interval = 200ms;
constexpr auto idle_probe_interval = 10s; // after it a query tests whether the server still answers

// "PROCESS ID ID ...", or "PROCESS !TOPIC TEXT" for a signal.
void deliver(std::string_view payload, const std::string& process, const DatabaseListener& listener)
{
    const auto blank = payload.find(' ');
    if (blank == std::string_view::npos || payload.substr(0, blank) == process) return;
    const auto content = payload.substr(blank + 1);
    if (content.starts_with('!')) {
        const auto end = std::min(content.find(' '), content.size() - 1);
        return listener.on_signal(
            {std::string(content.substr(1, end - 1)), std::string(content.substr(end + 1))});
    }
    if (const auto ids = parse_changed_assets(content)) return listener.on_changed(*ids);
    listener.on_hears(false); // any asset may have changed
    listener.on_hears(true);
}

// Returns when the connection is lost or the stop was requested.
void listen_once(DatabaseConnection& sql, const std::string& process, const std::stop_token& stop,
                 const DatabaseListener& listener)
{
    std::string channel;
    sql << "SELECT quote_ident('vitrine_' || current_schema())", soci::into(channel);
    sql << "LISTEN " + channel;
    listener.on_hears(true);
    auto* const handle = postgres_handle(sql);
    auto heard = std::chrono::steady_clock::now();
    while (!stop.stop_requested()) {
        pollfd ready{.fd = PQsocket(handle), .events = POLLIN, .revents = 0};
        if (::poll(&ready, 1, static_cast<int>(stop_poll_interval.count())) > 0) {
            if (PQconsumeInput(handle) == 0) return;
            heard = std::chrono::steady_clock::now();
        } else if (std::chrono::steady_clock::now() - heard > idle_probe_interval) {
            sql << "SELECT 1";
            heard = std::chrono::steady_clock::now();
        }
        while (auto* const notification = PQnotifies(handle)) {
            deliver(notification->extra, process, listener);
            PQfreemem(notification);
        }
        if (PQstatus(handle) != CONNECTION_OK) return;
    }
}

} // namespace

pg_conn* postgres_handle(DatabaseConnection& connection)
{
    return static_cast<soci::postgresql_session_backend*>(connection.get_backend())->conn_;
}

std::optional<std::vector<std::string>> parse_changed_assets(std::string_view noted)
{
    std::vector<std::string> ids;
    for (std::size_t at = 0; at < noted.size();) {
        const auto end = std::min(noted.find(' ', at), noted.size());
        if (end > at) ids.emplace_back(noted.substr(at, end - at));
        at = end + 1;
    }
    if (std::ranges::find(ids, "*") != ids.end()) return std::nullopt;
    return ids;
}

void listen_to_postgres(const Dialect& dialect, const std::string& process, const std::stop_token& stop,
                        const DatabaseListener& listener)
{
    auto pause = 100ms;
    listener.on_hears(false); // changes before LISTEN are not heard
    std::mutex mutex;
    std::condition_variable_any woken;
    while (!stop.stop_requested()) {
        try {
            const auto connection = dialect.connect(false);
            pause = 100ms;
            listen_once(*connection, process, stop, listener);
        } catch (const soci::soci_error&) { // connected again below
        } catch (const StorageError&) {
        }
        listener.on_hears(false);
        std::unique_lock lock(mutex);
        woken.wait_for(lock, stop, pause, [] { return false; });
        pause = std::min(pause * 2, 5000ms);
    }
}

} // namespace vitrine::server
