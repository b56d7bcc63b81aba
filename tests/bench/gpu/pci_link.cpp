#include "tests/bench/gpu/pci_link.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace vitrine::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::array nvidia_fields{
    "clocks.gr",        "clocks.max.gr",    "clocks.mem",      "clocks.max.mem",        "pstate",
    "power.draw",       "power.limit",      "temperature.gpu", "pcie.link.gen.current", "pcie.link.gen.max",
    "mig.mode.current", "ecc.mode.current", "driver_version"};

std::string trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\n"), last = text.find_last_not_of(" \t\n");
    return first == std::string_view::npos ? std::string()
                                           : std::string(text.substr(first, last - first + 1));
}

std::string read_file(const fs::path& file)
{
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string read_line(const fs::path& file)
{
    return trimmed(read_file(file));
}

bool has_resize_file(const fs::path& folder)
{
    for (int bar = 0; bar < 6; ++bar)
        if (fs::exists(folder / fmt::format("resource{}_resize", bar))) return true;
    return false;
}

// Hexadecimal digits, ':' and '.': safe as an argument of a shell.
bool is_address(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("0123456789abcdef:.") == std::string_view::npos;
}

} // namespace

std::uint64_t largest_bar(std::string_view resource)
{
    std::istringstream lines{std::string(resource)};
    std::uint64_t first = 0, last = 0, flags = 0, largest = 0;
    for (int bar = 0; bar < 6 && lines >> std::hex >> first >> last >> flags; ++bar)
        if (last > first) largest = std::max(largest, last - first + 1);
    return largest;
}

std::optional<PciLink> read_pci_link(const std::string& pci_address, const fs::path& devices)
{
    const auto folder = devices / pci_address;
    std::error_code ignored;
    if (pci_address.empty() || !fs::is_directory(folder, ignored)) return {};
    return PciLink{.current_speed = read_line(folder / "current_link_speed"),
                   .max_speed = read_line(folder / "max_link_speed"),
                   .current_width = read_line(folder / "current_link_width"),
                   .max_width = read_line(folder / "max_link_width"),
                   .largest_bar_bytes = largest_bar(read_file(folder / "resource")),
                   .can_resize = has_resize_file(folder)};
}

ClockStates parse_dpm(std::string_view text)
{
    ClockStates clocks;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        const auto colon = line.find(':');
        if (colon == std::string::npos) continue;
        const bool is_current = line.ends_with('*');
        const auto state =
            trimmed(std::string_view(line).substr(colon + 1, line.size() - colon - 1 - (is_current ? 1 : 0)));
        clocks.states.push_back(state);
        if (is_current) clocks.current = state;
    }
    return clocks;
}

std::optional<ClockStates> read_dpm(const std::string& pci_address, const char* file, const fs::path& devices)
{
    const auto text = pci_address.empty() ? "" : read_file(devices / pci_address / file);
    if (text.empty()) return {};
    return parse_dpm(text);
}

std::map<std::string, std::string> parse_nvidia(std::string_view line)
{
    std::map<std::string, std::string> fields;
    std::istringstream values{trimmed(line)};
    std::string value;
    for (const auto* field : nvidia_fields)
        if (std::getline(values, value, ',')) fields[field] = trimmed(value);
    return fields.size() == nvidia_fields.size() ? fields : std::map<std::string, std::string>{};
}

std::map<std::string, std::string> query_nvidia(const std::string& pci_address)
{
    if (!is_address(pci_address)) return {};
    const auto command =
        fmt::format("timeout 10 nvidia-smi -i {} --query-gpu={} --format=csv,noheader 2>/dev/null",
                    pci_address, fmt::join(nvidia_fields, ","));
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return {};
    std::array<char, 1024> line{};
    const bool has_line = std::fgets(line.data(), line.size(), pipe) != nullptr;
    const int status = ::pclose(pipe);
    return has_line && status == 0 ? parse_nvidia(line.data()) : std::map<std::string, std::string>{};
}

} // namespace vitrine::bench
