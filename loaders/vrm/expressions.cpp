#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "loaders/gltf/document/fields.hpp"
#include "loaders/vrm/extensions.hpp"

namespace vitrine::vrm {
namespace {

using scene::VrmExpression;

class ExpressionReader {
public:
    ExpressionReader(const VrmExtension& extension, const scene::Scene& scene, scene::VrmFacts& facts)
        : extension_(extension), scene_(scene), facts_(facts)
    {
    }

    LoadResult<void> run()
    {
        const io::JsonValue object = extension_.object;
        if (extension_.kind == VrmKind::version_0) {
            mesh_nodes_ = find_mesh_nodes(scene_, extension_.node_count());
            return read_all(object["blendShapeMaster"]["blendShapeGroups"], false);
        }
        if (auto read = read_all(object["expressions"]["preset"], true); !read) return read;
        return read_all(object["expressions"]["custom"], false);
    }

private:
    LoadResult<void> read_all(io::JsonValue list, bool is_preset)
    {
        for (const io::JsonValue value : list) {
            if (facts_.expressions.size() >= scene::max_vrm_entries) {
                warn_about_limit(value);
                return {};
            }
            VrmExpression expression;
            gltf::LenientFields fields(value, extension_.warnings());
            expression.is_binary = fields.boolean("isBinary", false);
            expression.is_preset = is_preset;
            const bool is_version_0 = extension_.kind == VrmKind::version_0;
            if (is_version_0)
                read_name(fields, expression);
            else
                expression.name = value.key();
            for (const std::string_view changes :
                 {"materialColorBinds", "textureTransformBinds", "materialValues"})
                expression.material_changes += value[changes].size();
            for (const io::JsonValue bind : value[is_version_0 ? "binds" : "morphTargetBinds"])
                if (auto read = read_bind(bind, expression); !read) return read;
            facts_.expressions.push_back(std::move(expression));
        }
        return {};
    }

    static void read_name(gltf::LenientFields& fields, VrmExpression& expression)
    {
        const std::string_view preset = fields.string("presetName");
        const auto* const found = std::ranges::find(scene::vrm_0_presets, preset,
                                                    &std::pair<std::string_view, std::string_view>::first);
        expression.is_preset = found != scene::vrm_0_presets.end();
        expression.name = expression.is_preset ? found->second : fields.string("name");
    }

    LoadResult<void> read_bind(io::JsonValue bind, VrmExpression& expression)
    {
        gltf::LenientFields fields(bind, extension_.warnings());
        if (extension_.kind != VrmKind::version_0) {
            const std::uint32_t node = fields.index("node", extension_.node_count());
            if (node == scene::none) return {};
            const float weight = fields.number("weight", 0.0f, gltf::unit_range);
            add(bind, scene_.nodes[node].mesh, std::span(&node, 1), weight, expression);
            return {};
        }
        // A mesh, and percent.
        const std::uint32_t mesh = fields.index("mesh", mesh_nodes_.size());
        if (mesh == scene::none) return {};
        const auto& nodes = mesh_nodes_[mesh];
        if (auto taken = extension_.document.budget().take_keys(nodes.size(), bind.pointer()); !taken)
            return taken;
        add(bind, mesh, nodes, fields.number("weight", 0.0f, {0.0f, 100.0f}) / 100.0f, expression);
        return {};
    }

    // `nodes` draw the mesh.
    void add(io::JsonValue bind, std::uint32_t mesh, std::span<const std::uint32_t> nodes, float weight,
             VrmExpression& expression)
    {
        const std::size_t targets = mesh == scene::none ? 0 : scene_.meshes[mesh].morph_targets.size();
        const auto target = gltf::to_index(bind["index"], targets);
        if (!target) {
            if (extension_.warnings().accepts("invalid_expression")) // the name may be long
                extension_.warnings().store(
                    "invalid_expression",
                    fmt::format("the morph target of the expression \"{}\" does not exist", expression.name),
                    bind.pointer());
            return;
        }
        for (const std::uint32_t node : nodes) {
            if (weights_ >= scene::max_expression_weights) return warn_about_limit(bind);
            ++weights_;
            expression.weights.push_back({node, *target, weight});
        }
    }

    void warn_about_limit(io::JsonValue where)
    {
        if (std::exchange(is_limited_, true)) return;
        extension_.warnings().add("vrm_facts_limit",
                                  fmt::format("only the first {} expressions and {} weights are kept",
                                              scene::max_vrm_entries, scene::max_expression_weights),
                                  where.pointer());
    }

    const VrmExtension& extension_;
    const scene::Scene& scene_;
    scene::VrmFacts& facts_;
    MeshNodes mesh_nodes_;
    std::size_t weights_ = 0;
    bool is_limited_ = false;
};

} // namespace

LoadResult<void> read_expressions(const VrmExtension& extension, const scene::Scene& scene,
                                  scene::VrmFacts& facts)
{
    return ExpressionReader(extension, scene, facts).run();
}

} // namespace vitrine::vrm
