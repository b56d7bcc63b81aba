#include "api/readiness.hpp"

#include <boost/json/array.hpp>

namespace vitrine::api {
namespace {

namespace json = boost::json;

json::object device_json(const DeviceName& device)
{
    json::object object{{"name", device.name},
                        {"driver", device.driver},
                        {"api", device.api_version},
                        {"software", device.software}};
    if (!device.pci_address.empty()) object["pciAddress"] = device.pci_address;
    return object;
}

json::object state_json(const DeviceState& state)
{
    auto object = state.device ? device_json(*state.device) : json::object();
    object["draws"] = state.is_available;
    object["devicesLost"] = state.losses;
    object["disabled"] = state.is_disabled;
    object["waiting"] = state.waiting;
    object["memoryBytes"] = state.memory.used;
    object["memoryBudget"] = state.memory.budget;
    return object;
}

} // namespace

json::object to_json(const Readiness& readiness)
{
    json::array devices;
    for (const auto& state : readiness.devices)
        devices.push_back(state_json(state));
    return {{"role", readiness.role},
            {"ready", readiness.ready},
            {"catalog", readiness.catalog},
            {"stopping", readiness.stopping},
            {"hasDiskSpace", readiness.has_disk_space},
            {"device", readiness.device ? json::value(device_json(*readiness.device)) : json::value(nullptr)},
            {"devices", std::move(devices)},
            {"renderer",
             {{"devicesLost", readiness.losses},
              {"quarantined", readiness.quarantined},
              {"disabled", readiness.is_disabled},
              {"memoryBytes", readiness.memory.used},
              {"memoryBudget", readiness.memory.budget}}},
            {"imageRevision", readiness.image_revision},
            {"encoders", {"png", "jpeg", "webp", "vp8", "vp9"}}};
}

} // namespace vitrine::api
