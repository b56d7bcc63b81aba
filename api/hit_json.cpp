#include "api/hit_json.hpp"

#include <boost/json/array.hpp>

#include "api/json_text.hpp"
#include "loaders/scene/motion/file_nodes.hpp"

namespace vitrine::api {
namespace {

namespace json = boost::json;

template <class Named>
json::value named(const std::vector<Named>& list, std::uint32_t index)
{
    if (index == scene::none) return nullptr;
    return json::object{{"index", index}, {"name", list[index].name}};
}

json::value joint_json(const scene::Scene& scene, const scene::Hit& hit)
{
    if (hit.joint == scene::none) return nullptr;
    const auto node = scene::file_node(scene, hit.joint);
    return json::object{{"node", node}, {"name", scene.nodes[node].name}, {"weight", number(hit.weight)}};
}

} // namespace

json::object hit_json(const scene::Scene& scene, const std::optional<scene::Hit>& hit)
{
    if (!hit) return {{"hit", nullptr}};
    return {{"hit",
             {{"node", named(scene.nodes, scene::file_node(scene, hit->node))},
              {"mesh", named(scene.meshes, hit->mesh)},
              {"primitive", hit->primitive},
              {"triangle", hit->triangle},
              {"barycentric", numbers(hit->barycentric)},
              {"material", named(scene.materials, hit->material)},
              {"joint", joint_json(scene, *hit)},
              {"position", numbers(hit->position)},
              {"normal", numbers(hit->normal)},
              {"uv", numbers(hit->uv)},
              {"distance", number(hit->distance)}}}};
}

} // namespace vitrine::api
