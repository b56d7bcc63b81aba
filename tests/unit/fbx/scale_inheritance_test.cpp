// Inheritance of a parent's scale, without scene nodes.

#include "loaders/fbx/nodes/scale_inheritance.hpp"

#include <memory>

#include <gtest/gtest.h>

#include "tests/unit/fbx/text_file.hpp"

namespace vitrine::fbx {
namespace {

using test::fbx::inherit;
using test::fbx::vec3;

// A chain of models, each the child of the previous one, with these properties, and the result.
struct Chain {
    std::string text;
    Limits limits;
    io::WarningLog warnings;
    std::unique_ptr<Document> document;
    std::unique_ptr<AnimationStacks> animation;
    std::unique_ptr<ScaleInheritances> scales;
    std::vector<std::uint32_t> models; // from the top

    explicit Chain(const std::vector<std::string>& properties, const std::string& objects = {},
                   const std::string& connections = {}, std::size_t placed = no_object)
    {
        std::string all = objects, below = connections;
        for (std::size_t i = 0; i < properties.size(); ++i) {
            all += test::fbx::model(static_cast<int>(i + 1), "m", properties[i]);
            below += "C: \"OO\"," + std::to_string(i + 1) + "," + std::to_string(i) + "\n";
        }
        text = test::fbx::version_7(all, below);
        document =
            std::make_unique<Document>(Document::parse(std::as_bytes(std::span(text)), {}, warnings).value());
        animation =
            std::make_unique<AnimationStacks>(AnimationStacks::read(*document, limits, warnings).value());
        scales = std::make_unique<ScaleInheritances>(*document, *animation);
        models = document->objects_of_type(ObjectType::model);
        std::erase(models, 0u); // the root
        std::vector<bool> is_placed(document->objects().size(), false);
        if (placed < models.size()) is_placed[models[placed]] = true;
        for (std::size_t i = 0; i < models.size(); ++i)
            EXPECT_TRUE(scales->read(models[i], i == 0 ? 0 : models[i - 1], is_placed));
    }

    bool is_split(std::size_t i) const { return scales->is_split(models[i]); }
    // Of a model one unit away along each axis.
    DoubleTrs node(std::size_t i) const { return scales->apply(models[i], {.translation = glm::dvec3(1.0)}); }
};

const std::string uneven = vec3("Lcl Scaling", "2,3,4"), even = vec3("Lcl Scaling", "2,2,2");
constexpr int rrss = 0, rsrs = 1, rrs = 2;

TEST(FbxScaleInheritance, OfPlainChildrenIsEmpty)
{
    const Chain chain({uneven, inherit(rsrs)});
    EXPECT_FALSE(chain.is_split(0));
    EXPECT_FALSE(chain.scales->is_below_split(chain.models[1]));
    EXPECT_EQ(chain.node(1).scale, glm::dvec3(1.0));
    EXPECT_EQ(chain.node(1).translation, glm::dvec3(1.0));
}

TEST(FbxScaleInheritance, OfAnEvenScaleIsANumber)
{
    const Chain mixes({even, inherit(rrss)}), ignores({even, inherit(rrs)});
    EXPECT_FALSE(mixes.is_split(0));
    EXPECT_EQ(mixes.node(1).scale, glm::dvec3(1.0)) << "the matrices do it";
    EXPECT_FALSE(ignores.is_split(0));
    EXPECT_EQ(ignores.node(1).scale, glm::dvec3(0.5));
    EXPECT_EQ(ignores.node(1).translation, glm::dvec3(1.0));
}

TEST(FbxScaleInheritance, OfAnUnevenScaleSplitsTheParent)
{
    const Chain mixes({uneven, inherit(rrss)}), ignores({uneven, inherit(rrs)});
    for (const Chain* chain : {&mixes, &ignores}) {
        EXPECT_TRUE(chain->is_split(0));
        EXPECT_FALSE(chain->is_split(1));
        EXPECT_TRUE(chain->scales->is_below_split(chain->models[1]));
        EXPECT_EQ(chain->node(1).translation, glm::dvec3(2.0, 3.0, 4.0));
    }
    EXPECT_EQ(mixes.node(1).scale, glm::dvec3(2.0, 3.0, 4.0));
    EXPECT_EQ(ignores.node(1).scale, glm::dvec3(1.0));
}

TEST(FbxScaleInheritance, AppliesAlongAChain)
{
    const Chain chain({uneven, inherit(rrss) + even, inherit(rrss), inherit(rrs)});
    EXPECT_TRUE(chain.is_split(1)) << "an even scale, but the one above comes with it";
    EXPECT_EQ(chain.node(1).scale, glm::dvec3(2.0, 3.0, 4.0));
    EXPECT_EQ(chain.node(2).scale, glm::dvec3(4.0, 6.0, 8.0));
    EXPECT_EQ(chain.node(2).translation, glm::dvec3(4.0, 6.0, 8.0));
    EXPECT_EQ(chain.node(3).scale, glm::dvec3(4.0, 6.0, 8.0)) << "all but its parent's own, which is 1";
}

// The scale that a child does not inherit is divided out when it is constant and not 0.
TEST(FbxScaleInheritance, SplitsNonUniformScale)
{
    const std::string nothing = vec3("Lcl Scaling", "0,0,0");
    EXPECT_TRUE(Chain({nothing, inherit(rrs)}).is_split(0));
    EXPECT_FALSE(Chain({nothing, inherit(rrss)}).is_split(0));
    const std::string grows = test::fbx::stack + test::fbx::node(80) + test::fbx::curve(81, "1,3", "1,2");
    const std::string evenly =
        test::fbx::stack_connections + "C: \"OO\",80,91\nC: \"OP\",80,1, \"Lcl Scaling\"\n" +
        "C: \"OP\",81,80, \"d|X\"\nC: \"OP\",81,80, \"d|Y\"\nC: \"OP\",81,80, \"d|Z\"\n";
    EXPECT_TRUE(Chain({"", inherit(rrs)}, grows, evenly).is_split(0));
    EXPECT_FALSE(Chain({"", inherit(rrss)}, grows, evenly).is_split(0));
}

TEST(FbxScaleInheritance, IgnoresChildrenWithAnotherParent)
{
    EXPECT_FALSE(Chain({uneven, inherit(rrss)}, {}, {}, 1).is_split(0));
}

} // namespace
} // namespace vitrine::fbx
