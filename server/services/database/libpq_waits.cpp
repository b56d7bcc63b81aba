// The functions of libpq that wait for the server, with a time limit: a server that hangs while its kernel
// keeps the TCP connection alive would hold them, and the requests behind them, without end. Connections do
// not block (PQsetnonblocking); each wait is a poll() with a deadline
// (https://www.postgresql.org/docs/15/libpq-async.html).
//
// A wait is given up after StatementLimit; earlier if the server is silent for silence_time and then does not
// answer a new connection within its connect_timeout either. Statements that take long, or wait for a lock,
// are therefore told from a server that hangs. The connection is then shut down: libpq reports it as lost.

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/socket.h>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <libpq-fe.h>

#include "server/services/database/database_connection.hpp"
#include "server/services/database/libpq.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto silence_time = 5s;

std::string& given_up()
{
    thread_local std::string why;
    return why;
}

void shut_down(PGconn* conn)
{
    if (const int socket = PQsocket(conn); socket >= 0) ::shutdown(socket, SHUT_RDWR);
}

// Whether the server of this connection, which may be one of several in the URL, answers a new one.
bool answers_new_connection(PGconn* conn)
{
    const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(PQconninfo(conn),
                                                                               &PQconninfoFree);
    std::vector<const char*> names{"host", "hostaddr", "port"};
    std::vector<const char*> values{PQhost(conn), PQhostaddr(conn), PQport(conn)};
    for (const auto* option = options.get(); option != nullptr && option->keyword != nullptr; ++option) {
        const std::string_view name = option->keyword;
        if (name == names[0] || name == names[1] || name == names[2]) continue;
        names.push_back(option->keyword);
        values.push_back(option->val);
    }
    names.push_back(nullptr);
    values.push_back(nullptr);
    return PQpingParams(names.data(), values.data(), 0) != PQPING_NO_RESPONSE;
}

// One wait for the server.
class ServerWait {
public:
    explicit ServerWait(PGconn* conn) : conn_(conn) {}

    // Waits until something was read, or with `to_write` may be written. Returns false if the connection is
    // lost or was given up.
    bool wait(bool to_write)
    {
        const int socket = PQsocket(conn_);
        if (socket < 0) return false;
        const auto events = static_cast<short>(to_write ? POLLIN | POLLOUT : POLLIN);
        pollfd ready{.fd = socket, .events = events, .revents = 0};
        const auto left = std::max<Clock::duration>(std::min(end_, next_question_) - Clock::now(), 0s);
        if (::poll(&ready, 1, static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(left).count())) >
            0) {
            next_question_ = Clock::now() + silence_time;
            return PQconsumeInput(conn_) == 1;
        }
        if (Clock::now() >= end_)
            return abandon(fmt::format("the database did not finish a statement within {}", limit_));
        if (Clock::now() >= next_question_) {
            if (!answers_new_connection(conn_)) return abandon("the database does not answer");
            next_question_ = Clock::now() + silence_time;
        }
        return true;
    }

private:
    bool abandon(std::string why)
    {
        given_up() = std::move(why);
        shut_down(conn_);
        return false;
    }

    PGconn* const conn_;
    const std::chrono::seconds limit_ = StatementLimit::current();
    const Clock::time_point end_ = Clock::now() + limit_;
    Clock::time_point next_question_ = Clock::now() + silence_time;
};

// Until PQgetResult() does not block.
void await_result(PGconn* conn)
{
    if (PQisBusy(conn) == 0) return;
    ServerWait server(conn);
    while (PQisBusy(conn) != 0) {
        const int unsent = PQflush(conn);
        if (unsent < 0) return shut_down(conn);
        // With encryption more may have been read already, which poll() does not see.
        if (PQconsumeInput(conn) == 0 || PQisBusy(conn) == 0) return;
        if (!server.wait(unsent > 0)) return;
    }
}

bool await_sent(PGconn* conn)
{
    ServerWait server(conn);
    for (;;) {
        const int unsent = PQflush(conn);
        if (unsent <= 0) return unsent == 0;
        if (!server.wait(true)) return false;
    }
}

bool is_copy(const PGresult* result)
{
    const auto status = PQresultStatus(result);
    return status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH;
}

// What was left of the statement before, as PQexec() does it.
void discard_results(PGconn* conn)
{
    while (auto* const result = PQgetResult(conn)) {
        const bool copies = is_copy(result);
        PQclear(result);
        if (copies || PQstatus(conn) != CONNECTION_OK) return;
    }
}

// The last result, as that of PQexec(). Null if nothing was sent.
PGresult* last_result(PGconn* conn, int was_sent)
{
    if (was_sent == 0) return nullptr;
    given_up().clear();
    PGresult* last = nullptr;
    while (auto* const result = PQgetResult(conn)) {
        PQclear(last);
        last = result;
        if (is_copy(last) || PQstatus(conn) != CONNECTION_OK) break;
    }
    return last;
}

} // namespace

const std::string& why_wait_was_given_up()
{
    return given_up();
}

std::string with_timeouts(std::string url)
{
    for (const auto& [name, value] : {std::pair{"connect_timeout", "5"},
                                      {"tcp_user_timeout", "15000"},
                                      {"keepalives_idle", "10"},
                                      {"keepalives_interval", "5"},
                                      {"keepalives_count", "3"},
                                      {"application_name", "vitrine"}})
        if (!url.contains(fmt::format("{}=", name)))
            url += fmt::format("{}{}={}", url.contains('?') ? '&' : '?', name, value);
    return url;
}

} // namespace vitrine::server

using vitrine::server::await_result;
using vitrine::server::await_sent;
using vitrine::server::discard_results;
using vitrine::server::given_up;
using vitrine::server::last_result;
using vitrine::server::pq_function;

// NOLINTBEGIN(readability-identifier-naming): the names are libpq's.
extern "C" {

// The URL's connect_timeout limits it.
PGconn* PQconnectdb(const char* conninfo)
{
    static auto* const function = pq_function<decltype(PQconnectdb)>("PQconnectdb");
    given_up().clear();
    auto* const conn = function(conninfo);
    if (conn != nullptr && PQstatus(conn) == CONNECTION_OK) PQsetnonblocking(conn, 1);
    return conn;
}

PGresult* PQgetResult(PGconn* conn)
{
    static auto* const function = pq_function<decltype(PQgetResult)>("PQgetResult");
    await_result(conn);
    return function(conn);
}

PGresult* PQexec(PGconn* conn, const char* query)
{
    discard_results(conn);
    return last_result(conn, PQsendQuery(conn, query));
}

PGresult* PQexecParams(PGconn* conn, const char* command, int nParams, const Oid* paramTypes,
                       const char* const* paramValues, const int* paramLengths, const int* paramFormats,
                       int resultFormat)
{
    discard_results(conn);
    return last_result(conn, PQsendQueryParams(conn, command, nParams, paramTypes, paramValues, paramLengths,
                                               paramFormats, resultFormat));
}

PGresult* PQexecPrepared(PGconn* conn, const char* stmtName, int nParams, const char* const* paramValues,
                         const int* paramLengths, const int* paramFormats, int resultFormat)
{
    discard_results(conn);
    return last_result(conn, PQsendQueryPrepared(conn, stmtName, nParams, paramValues, paramLengths,
                                                 paramFormats, resultFormat));
}

PGresult* PQprepare(PGconn* conn, const char* stmtName, const char* query, int nParams, const Oid* paramTypes)
{
    discard_results(conn);
    return last_result(conn, PQsendPrepare(conn, stmtName, query, nParams, paramTypes));
}

int PQputCopyData(PGconn* conn, const char* buffer, int nbytes)
{
    static auto* const function = pq_function<decltype(PQputCopyData)>("PQputCopyData");
    const int put = function(conn, buffer, nbytes);
    return put == 1 && !await_sent(conn) ? -1 : put;
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
