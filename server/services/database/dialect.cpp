#include "server/services/database/dialect.hpp"

#include <algorithm>

#include "server/util/clock.hpp"

namespace vitrine::server {

bool is_postgres(std::string_view location)
{
    return location.starts_with("postgres://") || location.starts_with("postgresql://");
}

std::unique_ptr<Dialect> make_dialect(const std::string& location)
{
    return is_postgres(location) ? make_postgres_dialect(location) : make_sqlite_dialect(location);
}

std::expected<std::string, std::string> describe_database(const std::string& location)
{
    const auto dialect = make_dialect(location);
    try {
        const auto connection = dialect->connect(false);
        return dialect->describe(*connection);
    } catch (const soci::soci_error& error) {
        return std::unexpected(dialect->to_storage_error(error).what());
    } catch (const StorageError& error) {
        return std::unexpected(error.what());
    }
}

std::optional<double> clock_difference(const std::string& location)
{
    if (!is_postgres(location)) return 0.0;
    try {
        const auto connection = make_dialect(location)->connect(false);
        long long there = 0;
        *connection << "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)",
            soci::into(there);
        return static_cast<double>(there - now()) / 1e6;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

std::string printable_location(const std::string& location)
{
    if (!is_postgres(location)) return location;
    auto text = location;
    const auto begin = text.find("://") + 3;
    const auto at = text.find('@', begin);
    const auto colon = text.find(':', begin);
    if (at != text.npos && colon < at) text.erase(colon, at - colon);
    for (const std::string_view name : {"password=", "sslpassword="})
        if (const auto value = text.find(name); value != text.npos)
            text.erase(value, std::min(text.find('&', value), text.size()) - value);
    return text;
}

std::string like_pattern(std::string_view word)
{
    return "%" + escape_like(word) + "%";
}

std::string escape_like(std::string_view text)
{
    std::string escaped;
    for (const char c : text)
        escaped += (c == '%' || c == '_' || c == '\\') ? std::string{'\\', c} : std::string(1, c);
    return escaped;
}

} // namespace vitrine::server
