#pragma once
// The response of GET /v1/workers: the processes that draw and import.

#include <cstdint>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "api/resources.hpp"

namespace vitrine::api {

struct WorkerLoad {
    std::uint32_t viewers = 0; // live previews
    std::uint32_t draws = 0;   // still pictures and sequences that are drawn for other processes
    std::uint32_t imports = 0; // imports and refreshes
};

struct Worker {
    std::string id;
    std::string name;                 // HOST:PID
    std::string address;              // URL where other processes reach it: http://HOST:PORT
    std::string role;                 // "all" or "worker"
    std::vector<std::string> devices; // names of those that draw now
    std::uint32_t viewer_slots = 0;   // live previews at the same time; 0: it draws nothing now
    std::uint32_t draw_slots = 0;     // as WorkerLoad::draws
    WorkerLoad load{};
    UnixMicros started = 0;   // in the time of the database, as the heartbeat
    UnixMicros heartbeat = 0; // the last one
    bool is_alive = true;     // the heartbeat is recent
};

boost::json::object to_json(const Worker& worker);

} // namespace vitrine::api
