#pragma once
// The response of GET /readyz.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

namespace vitrine::api {

struct DeviceName {
    std::string name;
    std::string driver;
    std::string api_version; // of Vulkan
    bool software = false;
    std::string pci_address; // empty: unknown
};

struct DeviceMemory {
    std::uint64_t used = 0;   // bytes
    std::uint64_t budget = 0; // bytes
};

struct DeviceState {
    std::optional<DeviceName> device; // empty: none was created yet
    bool is_available = false;
    std::size_t losses = 0;   // since the start
    bool is_disabled = false; // it is not created again
    std::size_t waiting = 0;  // number of queued tasks
    DeviceMemory memory;
};

struct Readiness {
    std::string role; // of the process: "all", "api" or "worker"
    bool ready = false;
    bool catalog = false; // readable and writable
    bool stopping = false;
    bool has_disk_space = false;      // the disk has space for uploads
    std::optional<DeviceName> device; // the first available one
    std::vector<DeviceState> devices;
    std::size_t losses = 0;           // of all devices
    std::size_t quarantined = 0;      // number of models
    bool is_disabled = false;         // nothing is rendered any more
    DeviceMemory memory;              // of all devices
    std::uint32_t image_revision = 0; // the `rev` of immutable URLs
};

boost::json::object to_json(const Readiness& readiness);

} // namespace vitrine::api
