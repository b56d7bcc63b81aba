#pragma once
// How services fail. What a caller must expect is a ServiceError in a Result; a broken environment (disk
// full, disk read-only, catalog unreadable) is a StorageError, thrown. One function at the edge maps both to
// problem+json.

#include <cstdint>
#include <expected>
#include <stdexcept>
#include <string>
#include <string_view>

#include "loaders/base/error.hpp"

namespace vitrine::server {

enum class Errc : std::uint8_t {
    invalid,   // 400: the request makes no sense (a cursor of another sort, a clip that is not there)
    not_found, // 404
    conflict,  // 409: not in this state (asset still importing or failed)
    precondition_failed, // 412: If-Match names another revision
    too_large,           // 413: passes a configured limit
    unprocessable,       // 422: understood and refused: no model in the upload, a zip that is none
    busy,                // 503 with Retry-After: a queue is full or the server is stopping
    not_ready,           // 202 or 409 with Retry-After: it is being made
    unavailable,         // 503: no device draws, or drawing failed twice
};

struct ServiceError {
    Errc kind = Errc::invalid;
    std::string code;  // stable, snake_case: "no_model", "render_queue_full"
    std::string where; // a place in the input; may be empty
    std::string detail;
    unsigned retry_after_s = 0; // with busy and not_ready
};

template <class T>
using Result = std::expected<T, ServiceError>;

std::unexpected<ServiceError> refuse(Errc kind, std::string_view code, std::string detail,
                                     unsigned retry_after_s = 0);
// A loader's refusal: unprocessable, code and place kept.
ServiceError to_service_error(const LoadError& error);

struct StorageError : std::runtime_error {
    enum class Kind : std::uint8_t {
        full,      // 507: no space, or over quota
        read_only, // 503
        failed,    // 503: an input/output error
    };
    StorageError(Kind kind_, const std::string& what) : std::runtime_error(what), kind(kind_) {}
    Kind kind;
};

// Throws the StorageError that `error_number` means; `doing` is "write", "rename", ...
[[noreturn]] void throw_storage_error(int error_number, std::string_view doing, std::string_view path);

} // namespace vitrine::server
