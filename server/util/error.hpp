#pragma once
// Errors of services. Expected failures are a ServiceError in a Result; a failure of the environment (disk
// full, disk read-only, catalog unreadable) is a StorageError, thrown. routing/problems.hpp maps both to
// problem+json.

#include <cstdint>
#include <expected>
#include <stdexcept>
#include <string>
#include <string_view>

#include "loaders/base/error.hpp"

namespace vitrine::server {

enum class Errc : std::uint8_t {
    invalid,             // 400: invalid request (a cursor of another sort order, a clip that does not exist)
    not_found,           // 404
    conflict,            // 409: not possible in this state (the import has failed, the job has ended)
    precondition_failed, // 412: If-Match has another revision
    too_large,           // 413: above a configured limit
    unprocessable, // 422: valid request that cannot be processed: no model in the upload, an invalid zip
    no_room,       // 507: a configured quota of stored bytes is used up
    busy,          // 503 with Retry-After: a queue is full or the server is stopping
    not_ready,     // 202 or 409 with Retry-After: the import is in progress; a later request succeeds
    unavailable,   // 503: no device, or rendering failed twice
};

struct ServiceError {
    Errc kind = Errc::invalid;
    std::string code;  // stable, snake_case: "no_model", "render_queue_full"
    std::string where; // location in the input; may be empty
    std::string detail;
    unsigned retry_after_s = 0; // with busy and not_ready
};

template <class T>
using Result = std::expected<T, ServiceError>;

std::unexpected<ServiceError> make_error(Errc kind, std::string_view code, std::string detail,
                                         unsigned retry_after_s = 0);
// Rejects the request's parameter `where` as invalid ("bad_parameter").
std::unexpected<ServiceError> reject_parameter(std::string_view where, std::string detail);
// The import has not stored yet what the request needs: not_ready, "not_imported".
std::unexpected<ServiceError> not_imported_error(std::string detail = "This asset is still being imported.");
// Converts a loader's error: unprocessable, with its code and location.
ServiceError to_service_error(const LoadError& error);

struct StorageError : std::runtime_error {
    enum class Kind : std::uint8_t {
        full,        // 507: no space left, or quota exceeded
        read_only,   // 503
        failed,      // 503: I/O error
        unavailable, // 503: the database or the object store cannot be reached or rejects this server
    };
    StorageError(Kind kind_, const std::string& what) : std::runtime_error(what), kind(kind_) {}
    Kind kind;
};

// Throws the StorageError for `error_number`; `doing` is "write", "rename", ...
[[noreturn]] void throw_storage_error(int error_number, std::string_view doing, std::string_view path);

} // namespace vitrine::server
