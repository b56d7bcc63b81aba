#pragma once
// Maps errors to problem documents.

#include "server/access/principal.hpp"
#include "server/net/http.hpp"
#include "server/routing/route.hpp"
#include "server/services/storage/memory_files.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

std::unexpected<api::Problem> problem(int status, std::string code, std::string detail);
std::unexpected<api::Problem> problem(const ServiceError& error);
// 403 of who has no role that the request requires.
api::Problem role_problem(Role least, std::string detail);
api::Problem to_problem(const ServiceError& error);
api::Problem to_problem(const StorageError& error);
api::Problem to_problem(const MemoryFull& full);

// Returns application/problem+json with Retry-After and, for 401 and a Problem::bearer_error,
// WWW-Authenticate.
Response to_response(const api::Problem& problem);

// The code of a request that could not be parsed, for HttpHandler::reject().
std::string code_of_rejection(int status);
// `allowed`: RouteMatch::allowed.
Response method_not_allowed(const Request& request, const std::vector<Method>& allowed);
// Returns 308 to the path without its last '/'. Precondition: RouteMatch::has_extra_slash, so that the path
// has one '/' at its begin.
Response without_slash(const Request& request);
Response options_response(const std::vector<Method>& allowed);

} // namespace vitrine::server
