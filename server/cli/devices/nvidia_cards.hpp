#pragma once
// The cards that NVIDIA's kernel driver lists, and which of them Vulkan cannot use, for `vitrine doctor`.

#include <filesystem>
#include <string>
#include <vector>

namespace vitrine::cli {

struct NvidiaCard {
    std::string pci_address; // such as 0000:65:00.0
    std::string model;       // empty: unknown
    std::string uuid;        // with the prefix "GPU-"; empty: unknown
    // Split into instances of Multi-Instance GPU, which have compute but no graphics ("NVIDIA Multi-Instance
    // GPU User Guide", Application Considerations).
    bool is_split = false;
};

// Reads `driver`/gpus/ADDRESS/information and `driver`/capabilities/gpuMINOR/mig; sorted by address, empty if
// the driver is not loaded. Any thread.
std::vector<NvidiaCard> nvidia_cards(const std::filesystem::path& driver = "/proc/driver/nvidia");

} // namespace vitrine::cli
