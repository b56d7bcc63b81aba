#include <boost/json.hpp>

#include "api/scene_json.hpp"

namespace vitrine::api {
namespace json = boost::json;

namespace {

json::array first_person_json(const scene::Scene& scene)
{
    json::array out;
    for (const auto& [node, flag] : scene.vrm->first_person)
        out.push_back(
            json::object{{"node", scene.nodes[node].name},
                         {"type", scene::first_person_names[static_cast<std::size_t>(flag)].first}});
    return out;
}

json::array weights_json(const scene::Scene& scene, const scene::VrmExpression& expression)
{
    json::array out;
    for (const auto& [node, target, weight] : expression.weights)
        out.push_back(
            json::object{{"node", scene.nodes[node].name}, {"morphTarget", target}, {"weight", weight}});
    return out;
}

json::array expressions_json(const scene::Scene& scene, VrmWeights weights)
{
    json::array out;
    for (const auto& expression : scene.vrm->expressions) {
        json::object item{{"name", expression.name},
                          {"preset", expression.is_preset},
                          {"binary", expression.is_binary},
                          {"morphTargets", expression.weights.size()},
                          {"materialChanges", expression.material_changes}};
        if (weights == VrmWeights::listed) item["weights"] = weights_json(scene, expression);
        out.push_back(std::move(item));
    }
    return out;
}

} // namespace

json::value vrm_json(const scene::Scene& scene, VrmWeights weights)
{
    if (!scene.vrm) return nullptr;
    const scene::VrmFacts& vrm = *scene.vrm;
    json::array terms;
    for (const auto& [name, value] : vrm.terms)
        terms.push_back(json::object{{"name", name}, {"value", value}});
    return json::object{{"specVersion", vrm.version},
                        {"title", vrm.title},
                        {"version", vrm.model_version},
                        {"authors", json::array(vrm.authors.begin(), vrm.authors.end())},
                        {"license", vrm.license},
                        {"terms", std::move(terms)},
                        {"lookAt", vrm.look_at.empty() ? json::value(nullptr) : json::value(vrm.look_at)},
                        {"firstPerson", first_person_json(scene)},
                        {"expressions", expressions_json(scene, weights)},
                        {"springs", vrm.springs},
                        {"springJoints", vrm.spring_joints},
                        {"springColliders", vrm.spring_colliders},
                        {"constraints", vrm.constraints}};
}

json::object attribution_json(const scene::Scene& scene)
{
    json::object object;
    for (const auto& [name, member] : scene::attribution_members) {
        const auto& text = scene.attribution.*member;
        object[name] = text.empty() ? json::value(nullptr) : json::value(text);
    }
    return object;
}

} // namespace vitrine::api
