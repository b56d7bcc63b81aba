#include <gmock/gmock.h>

#include "loaders/fbx/document/document.hpp"

namespace vitrine::fbx {
namespace {

std::uint32_t parent_model(const Document& document, std::uint32_t object)
{
    for (const ObjectConnection& connection : document.destinations(object))
        if (document.object(connection.destination).type == ObjectType::model) return connection.destination;
    return no_object;
}

Document parse_document(std::string_view text)
{
    io::WarningLog warnings;
    auto document = Document::parse(std::as_bytes(std::span(text)), {}, warnings);
    EXPECT_TRUE(document) << document.error().where << ": " << document.error().detail;
    return std::move(*document);
}

constexpr std::string_view version_7 = R"(; FBX 7.4.0 project file
FBXHeaderExtension: { FBXVersion: 7400 }
Creator: "a program"
GlobalSettings: { Properties70: { P: "UpAxis", "int", "Integer", "",2 } }
Definitions: {
    ObjectType: "Model" {
        PropertyTemplate: "FbxNode" {
            Properties70: {
                P: "Lcl Scaling", "Lcl Scaling", "", "A",1,2,3
                P: "RotationOrder", "enum", "", "",4
            }
        }
    }
}
Objects: {
    Model: 10, "Model::arm", "LimbNode" {
        Properties70: {
            P: "RotationOrder", "enum", "", "",1
            P: "Lcl Translation", "Lcl Translation", "", "A",1,2.5,3
            P: "RotationOrder", "enum", "", "",2
            P: "name", "KString", "", "", "x"
        }
    }
    Geometry: 11, "Geometry::skin", "Mesh" { }
    Geometry: 10, "Geometry::again", "Mesh" { }
    AnimationCurveNode: 12, "AnimCurveNode::T", "" { }
    Model: -13, "Model::FBXASC065FBXASC", "Mesh" { }
}
Connections: {
    C: "OO",10,0
    C: "OO",-13,10
    C: "OO",11,-13
    C: "OP",12,10, "Lcl Translation"
    C: "OO",99,10
    C: "PP",10, "a",-13, "b"
}
)";

TEST(FbxDocument, WarningsHaveAPlaceWithoutAName)
{
    constexpr std::string_view text =
        "; FBX 7.4.0 project file\nObjects: {\n: 10, \"Model::a\", \"Null\" { }\n"
        ": 10, \"Model::b\", \"Null\" { }\n}\n";
    io::WarningLog warnings;
    EXPECT_TRUE(Document::parse(std::as_bytes(std::span(text)), {}, warnings));
    const auto found = warnings.take();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].code, "duplicate_id");
    EXPECT_EQ(found[0].where, "line 4");
}

TEST(FbxDocument, ReadsTypedPropertiesOverTheirTemplate)
{
    const Document document = parse_document(version_7);
    EXPECT_EQ(document.creator(), "a program");
    EXPECT_EQ(document.global_settings().integer("UpAxis"), 2);
    const std::uint32_t arm = document.find_by_id(10);
    const Properties& of_arm = document.object(arm).properties;
    EXPECT_EQ(of_arm.vec3("Lcl Translation"), glm::dvec3(1.0, 2.5, 3.0));
    EXPECT_EQ(of_arm.vec3("Lcl Scaling"), glm::dvec3(1.0, 2.0, 3.0));
    EXPECT_FALSE(of_arm.has_own("Lcl Scaling"));
    EXPECT_EQ(of_arm.integer("RotationOrder"), 2);
    EXPECT_EQ(of_arm.text("name"), "x");
    EXPECT_EQ(of_arm.real("absent", 7.0), 7.0);
    EXPECT_EQ(of_arm.vec3("name", glm::dvec3(5.0)), glm::dvec3(5.0));
}

TEST(FbxDocument, ConnectsObjectsInFileOrder)
{
    const Document document = parse_document(version_7);
    const std::uint32_t arm = document.find_by_id(10), mesh = document.find_by_id(-13);
    EXPECT_EQ(document.object(arm).name, "arm");
    EXPECT_EQ(document.object(mesh).name, "AFBXASC");
    ASSERT_EQ(document.sources(arm).size(), 2u);
    EXPECT_EQ(document.sources(arm)[0].source, mesh);
    EXPECT_EQ(document.sources(arm)[1].destination_property, "Lcl Translation");
    EXPECT_EQ(document.source_of_type(arm, ObjectType::animation_curve_node, "Lcl Translation"),
              document.find_by_id(12));
    EXPECT_EQ(document.source_of_type(arm, ObjectType::animation_curve_node, "Lcl Rotation"), no_object);
    EXPECT_EQ(parent_model(document, arm), 0u);
    EXPECT_EQ(document.destinations(arm)[1].source_property, "a");
    EXPECT_EQ(document.destinations(arm)[1].destination_property, "b");
    EXPECT_EQ(document.objects_of_type(ObjectType::mesh).size(), 2u);
}

TEST(FbxDocument, SplitsModelsOfVersion6)
{
    const Document document = parse_document(R"(; FBX 6.1.0 project file
FBXHeaderExtension: { FBXVersion: 6100 }
Objects: {
    Model: "Model::body", "Mesh" {
        Properties60: { Property: "Lcl Scaling", "Lcl Scaling", "A",2,2,2 }
        Vertices: 0,0,0,1,0,0,0,1,0
        Shape: "smile" { Indexes: 0
            Vertices: 1,1,1 }
    }
    Model: "Model::arm", "LimbNode" { }
    Deformer: "Deformer::Skin body", "Skin" { }
    GlobalSettings: { Properties60: { Property: "UpAxis", "int", "",2 } }
}
Connections: {
    Connect: "OO", "Model::body", "Model::Scene"
    Connect: "OO", "Model::arm", "Model::Scene"
    Connect: "OO", "Deformer::Skin body", "Model::body"
}
Version5: { Settings: { TimeMode: 6 } }
)");
    const std::uint32_t body = document.find_by_full_name("Model::body");
    EXPECT_EQ(document.global_settings().integer("UpAxis"), 2);
    EXPECT_EQ(document.global_settings().integer("TimeMode"), 6);
    EXPECT_EQ(parent_model(document, body), 0u);
    const std::uint32_t mesh = document.source_of_type(body, ObjectType::mesh);
    ASSERT_NE(mesh, no_object);
    EXPECT_EQ(document.object(mesh).element["Vertices"].array_count(), 9u);
    EXPECT_EQ(document.object(mesh).properties.vec3("Lcl Scaling"), glm::dvec3(2.0));
    EXPECT_NE(document.source_of_type(mesh, ObjectType::skin), no_object);
    const std::uint32_t blend = document.source_of_type(mesh, ObjectType::blend_shape);
    const std::uint32_t channel = document.source_of_type(blend, ObjectType::blend_channel);
    EXPECT_EQ(document.object(channel).name, "smile");
    EXPECT_TRUE(
        document.object(document.source_of_type(channel, ObjectType::shape)).part["Indexes"].exists());
    const std::uint32_t arm = document.find_by_full_name("Model::arm");
    EXPECT_EQ(document.object(document.source_of_type(arm, ObjectType::node_attribute)).sub_type, "LimbNode");
}

TEST(FbxDocument, RejectsAChildOfVersion5WithoutQuotes)
{
    io::WarningLog warnings;
    const std::string text = R"(; FBX 5.8.0 project file
FBXHeaderExtension: { FBXVersion: 5800 }
Model: "Model::root" { Type: "Null"
    Children: "Model::bone", Unquoted }
Model: "Model::bone" { Type: "LimbNode" }
)";
    const auto document = Document::parse(std::as_bytes(std::span(text)), {}, warnings);
    ASSERT_FALSE(document);
    EXPECT_EQ(document.error().code, LoadErrc::malformed);
    EXPECT_EQ(document.error().where, "line 4");
    EXPECT_EQ(document.error().detail, "the child 'Unquoted' is not quoted");
}

TEST(FbxDocument, ConnectsVersion5ByChildrenAndLinks)
{
    const Document document = parse_document(R"(; FBX 5.8.0 project file
FBXHeaderExtension: { FBXVersion: 5800 }
Model: "Model::root" { Type: "Null"
    Children: "Model::skin", "Model::bone" }
Model: "Model::skin" {
    Material: "Material::red" { Diffuse: 1,0,0 }
    Link: "Model::bone" { Indexes: 0
        Weights: 1 }
    Vertices: 0,0,0 }
Model: "Model::bone" { Type: "LimbNode" }
)");
    const std::uint32_t root = document.find_by_full_name("Model::root");
    const std::uint32_t skin = document.find_by_full_name("Model::skin");
    const std::uint32_t bone = document.find_by_full_name("Model::bone");
    EXPECT_EQ(parent_model(document, root), 0u);
    EXPECT_EQ(parent_model(document, bone), root);
    const std::uint32_t red = document.source_of_type(skin, ObjectType::material);
    EXPECT_EQ(document.object(red).properties.vec3("Diffuse"), glm::dvec3(1.0, 0.0, 0.0));
    const std::uint32_t deformer =
        document.source_of_type(document.source_of_type(skin, ObjectType::mesh), ObjectType::skin);
    const std::uint32_t cluster = document.source_of_type(deformer, ObjectType::cluster);
    ASSERT_NE(cluster, no_object);
    EXPECT_EQ(document.source_of_type(cluster, ObjectType::model), bone);
    EXPECT_EQ(document.object(cluster).part["Weights"][0u].real(), 1.0);
}

TEST(FbxDocument, TicksPerSecondFollowTheTimeCodeDefinition)
{
    EXPECT_EQ(parse_document("; FBX 7.4.0\nObjects: {}\n").ticks_per_second(), 46'186'158'000.0);
    const auto ticks = [](const std::string& header) {
        return parse_document("; FBX 7.7.0\nFBXHeaderExtension: { " + header + " }\nObjects: {}\n")
            .ticks_per_second();
    };
    constexpr double old_ticks = 46'186'158'000.0, short_ticks = 141'120'000.0;
    EXPECT_EQ(ticks("FBXHeaderVersion: 1004 OtherFlags: { TCDefinition: 0 }"), short_ticks);
    EXPECT_EQ(ticks("FBXHeaderVersion: 1004 OtherFlags: { TCDefinition: 126 }"), short_ticks);
    EXPECT_EQ(ticks("FBXHeaderVersion: 1004 OtherFlags: { TCDefinition: 127 }"), old_ticks);
    EXPECT_EQ(ticks("FBXHeaderVersion: 1005 OtherFlags: { TCDefinition: 0 }"), short_ticks);
    EXPECT_EQ(ticks("FBXHeaderVersion: 1004"), old_ticks);
    EXPECT_EQ(ticks("FBXHeaderVersion: 1003 OtherFlags: { TCDefinition: 0 }"), old_ticks);
    EXPECT_EQ(ticks("OtherFlags: { TCDefinition: 0 }"), old_ticks) << "no header version";
}

TEST(FbxDocument, EscapedBytesAreOfTheFilesEncoding)
{
    const auto name = [](const std::string& escaped) {
        const Document document = parse_document(
            "; FBX 7.4.0 project file\nObjects: { Model: 1, \"Model::" + escaped + "\", \"Null\" { } }\n");
        return document.object(document.find_by_id(1)).name;
    };
    EXPECT_EQ(name("FBXASC228hnlich"), "\xC3\xA4hnlich");
    EXPECT_EQ(name("FBXASC195FBXASC164"), "\xC3\xA4");
    // Shift-JIS for "arm, left": the second bytes are letters, which are not escaped.
    EXPECT_EQ(name("FBXASC141FBXASC182FBXASC152r"), "\xE5\xB7\xA6\xE8\x85\x95");
}

} // namespace
} // namespace vitrine::fbx
