#include <algorithm>
#include <string>

#include "loaders/scene/validation/validate_helpers.hpp"
#include "loaders/scene/vrm_facts.hpp"

namespace vitrine::scene {
namespace {

ValidationResult check_texts(const VrmFacts& vrm)
{
    const auto is_text = [](const std::string& text) { return is_utf8(text); };
    const auto is_term = [](const VrmTerm& term) { return is_utf8(term.name) && is_utf8(term.value); };
    const std::string* const single[] = {&vrm.version, &vrm.title, &vrm.model_version, &vrm.license,
                                         &vrm.look_at};
    if (std::ranges::all_of(single, [](const std::string* text) { return is_utf8(*text); }) &&
        std::ranges::all_of(vrm.authors, is_text) && std::ranges::all_of(vrm.terms, is_term) &&
        std::ranges::all_of(vrm.expressions, is_text, &VrmExpression::name))
        return {};
    return fail(LoadErrc::malformed, "/vrm", "the text is not UTF-8");
}

ValidationResult check_sizes(const VrmFacts& vrm)
{
    std::size_t weights = 0;
    for (const VrmExpression& expression : vrm.expressions)
        weights += expression.weights.size();
    const std::size_t entries =
        std::max({vrm.authors.size(), vrm.terms.size(), vrm.first_person.size(), vrm.expressions.size()});
    if (entries <= max_vrm_entries && weights <= max_expression_weights) return {};
    return fail(LoadErrc::limit_exceeded, "/vrm", "a list has more entries than allowed");
}

bool has_target(const Scene& scene, const ExpressionWeight& weight)
{
    if (!is_index(weight.node, scene.nodes.size())) return false;
    const std::uint32_t mesh = scene.nodes[weight.node].mesh;
    return mesh != none && is_index(weight.target, scene.meshes[mesh].morph_targets.size());
}

ValidationResult check_expression(const Scene& scene, std::size_t i)
{
    for (const ExpressionWeight& weight : scene.vrm->expressions[i].weights) {
        if (!has_target(scene, weight))
            return fail(LoadErrc::out_of_range, at("/vrm/expressions", i),
                        "an expression uses a morph target that does not exist");
        if (!is_finite(weight.weight))
            return fail(LoadErrc::malformed, at("/vrm/expressions", i), "a number is not finite");
    }
    return {};
}

} // namespace

ValidationResult check_vrm(const Scene& scene)
{
    if (!scene.vrm) return {};
    if (ValidationResult ok = check_texts(*scene.vrm); !ok) return ok;
    if (ValidationResult ok = check_sizes(*scene.vrm); !ok) return ok;
    for (std::size_t i = 0; i < scene.vrm->first_person.size(); ++i) {
        const FirstPersonMesh& mesh = scene.vrm->first_person[i];
        if (!is_index(mesh.node, scene.nodes.size()))
            return fail(LoadErrc::out_of_range, at("/vrm/first_person", i), "the node does not exist");
        if (mesh.flag > FirstPersonFlag::first_person_only)
            return fail(LoadErrc::malformed, at("/vrm/first_person", i), "the flag is unknown");
    }
    for (std::size_t i = 0; i < scene.vrm->expressions.size(); ++i)
        if (ValidationResult ok = check_expression(scene, i); !ok) return ok;
    return {};
}

} // namespace vitrine::scene
