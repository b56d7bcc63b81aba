// Where a blend channel's rest weight is stored: a property, an element, or both.

#include <gmock/gmock.h>

#include "tests/unit/fbx/blender_shape_keys.hpp"
#include "tests/unit/fbx/text_file.hpp"

namespace vitrine::test::fbx {
namespace {

using testing::ElementsAre;
using testing::FloatEq;

const std::string property_75 = "Properties70: { P: \"DeformPercent\", \"Number\", \"\", \"A\",75 } ";

// A triangle with channel 5 of the given content and channel 8 at 40 percent by its element.
scene::Scene load_channel(const std::string& channel, const std::string& objects = {},
                          const std::string& connections = {})
{
    const std::string shape =
        "\"Geometry::s\", \"Shape\" { Indexes: *1 { a: 1 }\nVertices: *3 { a: 0,0,1 } }\n";
    return load(version_7("Model: 1, \"Model::m\", \"Mesh\" { }\nGeometry: 2, \"Geometry::g\", \"Mesh\" {\n"
                          "Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 }\nPolygonVertexIndex: *3 { a: 0,1,-3 } }\n"
                          "Deformer: 3, \"Deformer::b\", \"BlendShape\" { }\n"
                          "Deformer: 5, \"SubDeformer::c\", \"BlendShapeChannel\" { " +
                              channel + "}\nGeometry: 6, " + shape +
                              "Deformer: 8, \"SubDeformer::d\", \"BlendShapeChannel\" { DeformPercent: 40 }\n"
                              "Geometry: 9, " +
                              shape + objects,
                          "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,2\nC: \"OO\",5,3\nC: \"OO\",6,5\n"
                          "C: \"OO\",8,3\nC: \"OO\",9,8\n" +
                              connections));
}

std::vector<float> weights(const std::string& channel)
{
    return load_channel(channel).meshes.at(0).morph_weights;
}

TEST(FbxBlendWeight, IsThatOfTheElementInBothContainers)
{
    for (const auto container : {exporting::FbxContainer::binary, exporting::FbxContainer::text}) {
        const auto scene = load(blender_shape_keys(container));
        EXPECT_THAT(scene.meshes.at(0).morph_weights,
                    ElementsAre(FloatEq(0.3f), FloatEq(0.5f), FloatEq(0.5f)));
    }
}

TEST(FbxBlendWeight, OfAPropertyPrecedesTheElement)
{
    EXPECT_THAT(weights("DeformPercent: 20 " + property_75), ElementsAre(0.75f, 0.4f));
    EXPECT_THAT(weights(property_75), ElementsAre(0.75f, 0.4f));
    EXPECT_THAT(weights(""), ElementsAre(0.0f, 0.4f));
}

TEST(FbxBlendWeight, InvalidNumberIsAbsent)
{
    EXPECT_THAT(weights("DeformPercent: \"much\" "), ElementsAre(0.0f, 0.4f));
    EXPECT_THAT(weights("DeformPercent: nan "), ElementsAre(0.0f, 0.4f));
    EXPECT_THAT(weights("DeformPercent: \n"), ElementsAre(0.0f, 0.4f));
}

// A curve animates its channel; the other channel keeps the value of its element.
TEST(FbxBlendWeight, OfTheElementHoldsBesideACurve)
{
    const auto scene =
        load_channel("DeformPercent: 20 ",
                     stack + "AnimationCurveNode: 92, \"AnimCurveNode::DeformPercent\", \"\" { }\n" +
                         curve(93, "1,3", "50,100"),
                     stack_connections + "C: \"OO\",92,91\nC: \"OP\",92,5, \"DeformPercent\"\n"
                                         "C: \"OP\",93,92, \"d|DeformPercent\"\n");
    EXPECT_THAT(scene.meshes.at(0).morph_weights, ElementsAre(FloatEq(0.2f), FloatEq(0.4f)));
    ASSERT_EQ(scene.clips.size(), 1u);
    ASSERT_EQ(scene.clips[0].channels.size(), 1u);
    EXPECT_THAT(scene.clips[0].channels[0].values,
                ElementsAre(FloatEq(0.5f), FloatEq(0.4f), FloatEq(1.0f), FloatEq(0.4f)));
}

} // namespace
} // namespace vitrine::test::fbx
