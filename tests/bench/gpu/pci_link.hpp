#pragma once
// What the kernel and the vendor's tool say about a card: its PCI Express link and its clocks.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::bench {

// Of Documentation/ABI/testing/sysfs-bus-pci of Linux; empty members: not told. A link of a card that is idle
// may be slower than it will be under load.
struct PciLink {
    std::string current_speed, max_speed; // such as "16.0 GT/s PCIe"
    std::string current_width, max_width; // lanes
    std::uint64_t largest_bar_bytes = 0;  // of the base address registers 0 to 5; 0: not told
    bool can_resize = false;              // the kernel has a file to resize a base address register
};

// `devices`/ADDRESS; empty if there is no such folder.
std::optional<PciLink> read_pci_link(const std::string& pci_address,
                                     const std::filesystem::path& devices = "/sys/bus/pci/devices");

// Largest size of the lines "first last flags", hexadecimal, of which the first six are base address
// registers.
std::uint64_t largest_bar(std::string_view resource);

struct ClockStates {
    std::string current;
    std::vector<std::string> states; // lowest first
};
// pp_dpm_sclk and pp_dpm_mclk of amdgpu: lines "0: 500Mhz", the current one ends with "*".
ClockStates parse_dpm(std::string_view text);
// Empty if the card has no such file.
std::optional<ClockStates> read_dpm(const std::string& pci_address, const char* file,
                                    const std::filesystem::path& devices = "/sys/bus/pci/devices");

// The fields of nvidia-smi that `query_nvidia` asks for, by name.
std::map<std::string, std::string> parse_nvidia(std::string_view line);
// Runs nvidia-smi; empty if there is none or it does not know the card.
std::map<std::string, std::string> query_nvidia(const std::string& pci_address);

} // namespace vitrine::bench
