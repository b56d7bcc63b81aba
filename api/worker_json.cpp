#include "api/worker_json.hpp"

#include <boost/json/array.hpp>

namespace vitrine::api {

namespace json = boost::json;

json::object to_json(const Worker& worker)
{
    return {
        {"id", worker.id},
        {"name", worker.name},
        {"address", worker.address},
        {"role", worker.role},
        {"devices", json::array(worker.devices.begin(), worker.devices.end())},
        {"capacity", {{"viewers", worker.viewer_slots}, {"draws", worker.draw_slots}}},
        {"load",
         {{"viewers", worker.load.viewers}, {"draws", worker.load.draws}, {"imports", worker.load.imports}}},
        {"startedAt", to_rfc3339(worker.started)},
        {"heartbeatAt", to_rfc3339(worker.heartbeat)},
        {"alive", worker.is_alive}};
}

} // namespace vitrine::api
