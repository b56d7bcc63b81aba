#include "server/util/clock.hpp"

#include <chrono>

namespace vitrine::server {

Micros now()
{
    using namespace std::chrono;
    return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

} // namespace vitrine::server
