// libpq, loaded when the first PostgreSQL database is opened: with Kerberos and LDAP it would delay the start
// of every command (docs/decisions/0028-two-databases.md). Defines the functions that SOCI and this folder
// call; each forwards to the function of that name in the library, those in libpq_waits.cpp with a time
// limit. A further function needs a definition here. VITRINE_PQ_LIBRARY is the name of the library whose
// header was compiled.

#include <libpq-fe.h>
#include <libpq/libpq-fs.h>

#include "loaders/base/late_library.hpp"
#include "server/services/database/libpq.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {
namespace {

LateFunction* late_function(const char* name)
{
    static const LateLibrary library(VITRINE_PQ_LIBRARY);
    auto* const function = library.find<LateFunction>(name);
    if (function == nullptr)
        throw StorageError(StorageError::Kind::failed, "PostgreSQL's client library " VITRINE_PQ_LIBRARY
                                                       " cannot be loaded (Debian's package libpq5)");
    return function;
}

} // namespace

void* find_pq_function(const char* name)
{
    return reinterpret_cast<void*>(late_function(name));
}

} // namespace vitrine::server

using vitrine::server::late_function;

// NOLINTBEGIN(readability-identifier-naming): the names are libpq's.
extern "C" {

VITRINE_FORWARD(void, PQclear, (PGresult * res), (res))
VITRINE_FORWARD(char*, PQcmdTuples, (PGresult * res), (res))
VITRINE_FORWARD(PQconninfoOption*, PQconninfo, (PGconn * conn), (conn))
VITRINE_FORWARD(void, PQconninfoFree, (PQconninfoOption * connOptions), (connOptions))
VITRINE_FORWARD(int, PQconsumeInput, (PGconn * conn), (conn))
VITRINE_FORWARD(char*, PQerrorMessage, (const PGconn* conn), (conn))
VITRINE_FORWARD(int, PQfformat, (const PGresult* res, int field_num), (res, field_num))
VITRINE_FORWARD(void, PQfinish, (PGconn * conn), (conn))
VITRINE_FORWARD(char*, PQfname, (const PGresult* res, int field_num), (res, field_num))
VITRINE_FORWARD(int, PQflush, (PGconn * conn), (conn))
VITRINE_FORWARD(void, PQfreemem, (void* ptr), (ptr))
VITRINE_FORWARD(int, PQfsize, (const PGresult* res, int field_num), (res, field_num))
VITRINE_FORWARD(Oid, PQftype, (const PGresult* res, int field_num), (res, field_num))
VITRINE_FORWARD(int, PQgetisnull, (const PGresult* res, int tup_num, int field_num),
                (res, tup_num, field_num))
VITRINE_FORWARD(char*, PQgetvalue, (const PGresult* res, int tup_num, int field_num),
                (res, tup_num, field_num))
VITRINE_FORWARD(char*, PQhost, (const PGconn* conn), (conn))
VITRINE_FORWARD(char*, PQhostaddr, (const PGconn* conn), (conn))
VITRINE_FORWARD(int, PQisBusy, (PGconn * conn), (conn))
VITRINE_FORWARD(int, PQnfields, (const PGresult* res), (res))
VITRINE_FORWARD(PGnotify*, PQnotifies, (PGconn * conn), (conn))
VITRINE_FORWARD(int, PQntuples, (const PGresult* res), (res))
VITRINE_FORWARD(const char*, PQparameterStatus, (const PGconn* conn, const char* paramName),
                (conn, paramName))
VITRINE_FORWARD(PGPing, PQpingParams,
                (const char* const* keywords, const char* const* values, int expand_dbname),
                (keywords, values, expand_dbname))
VITRINE_FORWARD(char*, PQport, (const PGconn* conn), (conn))
VITRINE_FORWARD(int, PQputCopyEnd, (PGconn * conn, const char* errormsg), (conn, errormsg))
VITRINE_FORWARD(char*, PQresultErrorField, (const PGresult* res, int fieldcode), (res, fieldcode))
VITRINE_FORWARD(char*, PQresultErrorMessage, (const PGresult* res), (res))
VITRINE_FORWARD(ExecStatusType, PQresultStatus, (const PGresult* res), (res))
VITRINE_FORWARD(int, PQsendPrepare,
                (PGconn * conn, const char* stmtName, const char* query, int nParams, const Oid* paramTypes),
                (conn, stmtName, query, nParams, paramTypes))
VITRINE_FORWARD(int, PQsendQuery, (PGconn * conn, const char* query), (conn, query))
VITRINE_FORWARD(int, PQsendQueryParams,
                (PGconn * conn, const char* command, int nParams, const Oid* paramTypes,
                 const char* const* paramValues, const int* paramLengths, const int* paramFormats,
                 int resultFormat),
                (conn, command, nParams, paramTypes, paramValues, paramLengths, paramFormats, resultFormat))
VITRINE_FORWARD(int, PQsendQueryPrepared,
                (PGconn * conn, const char* stmtName, int nParams, const char* const* paramValues,
                 const int* paramLengths, const int* paramFormats, int resultFormat),
                (conn, stmtName, nParams, paramValues, paramLengths, paramFormats, resultFormat))
VITRINE_FORWARD(int, PQserverVersion, (const PGconn* conn), (conn))
VITRINE_FORWARD(PQnoticeProcessor, PQsetNoticeProcessor,
                (PGconn * conn, PQnoticeProcessor processor, void* arg), (conn, processor, arg))
VITRINE_FORWARD(int, PQsetnonblocking, (PGconn * conn, int arg), (conn, arg))
VITRINE_FORWARD(int, PQsetSingleRowMode, (PGconn * conn), (conn))
VITRINE_FORWARD(int, PQsocket, (const PGconn* conn), (conn))
VITRINE_FORWARD(ConnStatusType, PQstatus, (const PGconn* conn), (conn))
VITRINE_FORWARD(int, lo_close, (PGconn * conn, int fd), (conn, fd))
VITRINE_FORWARD(int, lo_lseek, (PGconn * conn, int fd, int offset, int whence), (conn, fd, offset, whence))
VITRINE_FORWARD(int, lo_open, (PGconn * conn, Oid lobjId, int mode), (conn, lobjId, mode))
VITRINE_FORWARD(int, lo_read, (PGconn * conn, int fd, char* buf, size_t len), (conn, fd, buf, len))
VITRINE_FORWARD(int, lo_write, (PGconn * conn, int fd, const char* buf, size_t len), (conn, fd, buf, len))

} // extern "C"
// NOLINTEND(readability-identifier-naming)
