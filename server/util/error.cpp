#include "server/util/error.hpp"

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

namespace vitrine::server {

std::unexpected<ServiceError> make_error(Errc kind, std::string_view code, std::string detail,
                                         unsigned retry_after_s)
{
    return std::unexpected(ServiceError{kind, std::string(code), {}, std::move(detail), retry_after_s});
}

std::unexpected<ServiceError> reject_parameter(std::string_view where, std::string detail)
{
    return std::unexpected(
        ServiceError{Errc::invalid, "bad_parameter", std::string(where), std::move(detail)});
}

std::unexpected<ServiceError> not_imported_error(std::string detail)
{
    return make_error(Errc::not_ready, "not_imported", std::move(detail), 1);
}

ServiceError to_service_error(const LoadError& error)
{
    if (error.code == LoadErrc::killed) // not a property of the file
        return {Errc::busy, std::string(to_string(error.code)), error.where, error.detail, 5};
    return {Errc::unprocessable, std::string(to_string(error.code)), error.where, error.detail};
}

void throw_storage_error(int error_number, std::string_view doing, std::string_view path)
{
    using enum StorageError::Kind;
    auto kind = failed;
    if (error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG) kind = full;
    if (error_number == EROFS || error_number == EACCES || error_number == EPERM) kind = read_only;
    throw StorageError(
        kind, fmt::format("cannot {} {}: {}", doing, path, std::generic_category().message(error_number)));
}

} // namespace vitrine::server
