#pragma once
// Figures of a running server, and the rows of the table.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

#include <fmt/format.h>

#include "tests/bench/timing.hpp"
#include "tests/integration/http_support.hpp"

namespace vitrine::test {

// Sum of the metrics whose lines begin with `name`.
inline double metric(int port, std::string_view name)
{
    const auto text = "\n" + get(port, "/metrics").body;
    const auto line_start = "\n" + std::string(name);
    double sum = 0.0;
    for (auto at = text.find(line_start); at != text.npos; at = text.find(line_start, at + 1))
        sum += std::atof(text.c_str() + text.find(' ', at + 1));
    return sum;
}

struct ProcessorTime { // seconds
    double user = 0.0, system = 0.0, children = 0.0;
    double sum() const { return user + system + children; }
};

inline ProcessorTime processor_time(pid_t pid)
{
    std::ifstream stat(fmt::format("/proc/{}/stat", pid));
    std::string word;
    for (int i = 0; i < 13; ++i)
        stat >> word;
    double user = 0.0, system = 0.0, child_user = 0.0, child_system = 0.0;
    stat >> user >> system >> child_user >> child_system;
    const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
    return {user / ticks, system / ticks, (child_user + child_system) / ticks};
}

inline void print_row(std::string_view measure, const std::string& value)
{
    std::printf("| %s | %s |\n", std::string(measure).c_str(), value.c_str());
    std::fflush(stdout);
}

} // namespace vitrine::test
