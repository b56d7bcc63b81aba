#include "server/util/clock.hpp"

#include <chrono>
#include <ctime>

#include <fmt/format.h>

namespace vitrine::server {

Micros now()
{
    using namespace std::chrono;
    return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

std::string to_rfc3339(Micros instant)
{
    const std::time_t seconds = static_cast<std::time_t>(instant / 1'000'000);
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900, utc.tm_mon + 1,
                       utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, instant / 1000 % 1000);
}

} // namespace vitrine::server
