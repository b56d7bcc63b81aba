#include "server/util/process_owner.hpp"

#include <array>
#include <fstream>
#include <sstream>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace vitrine::server {
namespace {

std::string host_name()
{
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

// Name and id of the machine and the namespace of its process numbers: copies of a machine and containers may
// have the same name.
std::string machine()
{
    std::string id;
    std::getline(std::ifstream("/etc/machine-id"), id);
    struct stat pids{};
    ::stat("/proc/self/ns/pid", &pids);
    return fmt::format("{}.{}.{}", host_name(), id.substr(0, 12), pids.st_ino);
}

// Changes with every boot of the machine.
std::string boot_id()
{
    std::string id;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), id);
    return id.substr(0, 8);
}

// Returns the start time of the process in clock ticks after boot; empty if the process does not exist.
// proc(5): field 22, counted after the name, which is in parentheses and may contain blanks.
std::string start_of(const std::string& pid)
{
    std::string stat;
    std::getline(std::ifstream("/proc/" + pid + "/stat"), stat);
    const auto end_of_name = stat.rfind(')');
    if (end_of_name == std::string::npos) return {};
    std::istringstream fields(stat.substr(end_of_name + 1));
    std::string field;
    for (int number = 3; number <= 22; ++number)
        fields >> field;
    return field;
}

} // namespace

std::string process_owner()
{
    const auto pid = std::to_string(getpid());
    return fmt::format("{}/{}/{}/{}", machine(), boot_id(), pid, start_of(pid));
}

bool is_dead(const std::string& owner)
{
    std::vector<std::string> parts;
    std::istringstream in(owner);
    for (std::string part; std::getline(in, part, '/');)
        parts.push_back(part);
    if (parts.size() != 4 || parts[0] != machine()) return false;
    return parts[1] != boot_id() || start_of(parts[2]) != parts[3];
}

} // namespace vitrine::server
