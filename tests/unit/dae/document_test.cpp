#include <gmock/gmock.h>

#include "tests/support/zip_builder.hpp"
#include "tests/unit/dae/document.hpp"

namespace vitrine::dae::test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

std::string drawing(const std::string& url)
{
    return Document{.nodes = "<node name='n'><instance_geometry url='" + url + "'/></node>"}.text();
}

std::string library_file()
{
    return "<COLLADA>" + library("geometries", square("g")) + "</COLLADA>";
}

TEST(DaeDocument, ElementsOfOtherFilesOfTheUpload)
{
    const scene::Scene scene =
        loaded(drawing("more%20parts/lib.dae#g"), {{"more parts/lib.dae", library_file()}});
    EXPECT_THAT(scene.meshes, SizeIs(1));
    EXPECT_TRUE(scene.warnings.empty());
}

TEST(DaeDocument, UrlsAreRelativeToXmlBase)
{
    const std::string empty = "<COLLADA>" + library("geometries", "<geometry id='g'/>") + "</COLLADA>";
    const auto based = [&](const std::string& base) {
        std::string text = drawing("lib.dae#g");
        text.insert(text.find("<COLLADA") + 8, " xml:base='" + base + "'");
        return loaded(text, {{"lib.dae", empty}, {"a b/lib.dae", library_file()}}).meshes.size();
    };
    EXPECT_EQ(based("a%20b/"), 1u);
    EXPECT_EQ(based("a%20b/c.dae"), 1u) << "its folder counts";
    for (const std::string other : {"", "x/", "../", "/a b/", "file:///a%20b/"})
        EXPECT_EQ(based(other), 0u) << other;
}

TEST(DaeDocument, SimulationsAreReported)
{
    Document document;
    document.nodes = "<node><instance_geometry url='#g'/></node>";
    document.libraries = library("geometries", square("g"));
    EXPECT_THAT(loaded(document.text()).warnings, SizeIs(0));
    document.scene = "<scene><instance_visual_scene url='#scene'/><instance_physics_scene url='#p'/>"
                     "<instance_physics_scene url='#q'/><instance_kinematics_scene url='#k'/></scene>";
    const scene::Scene scene = loaded(document.text());
    EXPECT_TRUE(warns(scene, "physics_ignored"));
    EXPECT_TRUE(warns(scene, "kinematics_ignored"));
    EXPECT_THAT(scene.warnings, SizeIs(2));
}

TEST(DaeDocument, FilesOutsideTheUploadAreNotRead)
{
    for (const std::string url :
         {"/etc/lib.dae#g", "../lib.dae#g", "http://host/lib.dae#g", "#nothing", "lib2.dae#g"}) {
        const scene::Scene scene = loaded(drawing(url));
        EXPECT_THAT(scene.meshes, SizeIs(0)) << url;
        EXPECT_TRUE(warns(scene, "missing_element")) << url;
    }
}

TEST(DaeDocument, BrokenFileBesideIsAWarningWithItsPlace)
{
    const scene::Scene scene = loaded(drawing("lib.dae#g"), {{"lib.dae", "<COLLADA>\n<x>"}});
    EXPECT_TRUE(warns(scene, "invalid_document"));
    EXPECT_EQ(scene.warnings.at(0).where, "lib.dae: line 2");
}

TEST(DaeDocument, PrefixesAndOldVersions)
{
    std::string text = drawing("#g");
    text.insert(text.find("<library_visual"), library("geometries", square("g")));
    text.replace(text.find("1.4.1"), 5, "1.4.0");
    EXPECT_THAT(loaded(text).meshes, SizeIs(1));
    std::string prefixed;
    for (std::size_t i = 0; i < text.size(); ++i) {
        prefixed += text[i];
        if (text[i] == '<' && text[i + 1] == '/') prefixed += text[++i];
        if ((text[i] == '<' || text[i] == '/') && prefixed.size() > 1 && text[i + 1] != '?' &&
            text[i + 1] != '>' && (text[i] == '<' || text[i - 1] == '<'))
            prefixed += "c:";
    }
    EXPECT_THAT(loaded(prefixed).meshes, SizeIs(1)) << prefixed.substr(0, 200);
}

TEST(DaeDocument, NamesInOtherEncodings)
{
    const scene::Scene scene = loaded(
        "<?xml version='1.0' encoding='iso-8859-1'?><COLLADA><library_visual_scenes>"
        "<visual_scene><node name='K\xF6nig &amp; Co'/></visual_scene></library_visual_scenes></COLLADA>");
    EXPECT_EQ(scene.nodes.at(0).name, "König & Co");
    const scene::Scene unknown =
        loaded("<?xml version='1.0' encoding='x-klingon'?><COLLADA><library_visual_scenes>"
               "<visual_scene><node name='K\xF6nig'/></visual_scene></library_visual_scenes></COLLADA>");
    EXPECT_EQ(unknown.nodes.at(0).name, "König") << "guessed";
    EXPECT_TRUE(warns(unknown, "unknown_encoding"));
}

TEST(DaeDocument, OtherXmlIsRejected)
{
    const auto scene = load("<html></html>");
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().code, LoadErrc::malformed);
    EXPECT_THAT(scene.error().detail, HasSubstr("html"));
    EXPECT_EQ(load("<COLLADA><a>").error().code, LoadErrc::truncated);
    EXPECT_FALSE(load(""));
}

TEST(DaeDocument, GeneratorAndFormat)
{
    const scene::Scene scene = loaded(
        Document{.asset = "<contributor><authoring_tool>Maker 1.0</authoring_tool></contributor>"}.text());
    EXPECT_EQ(scene.generator, "Maker 1.0");
    const std::string second =
        "<contributor/><contributor><authoring_tool>Maker 2.0</authoring_tool></contributor>";
    EXPECT_EQ(loaded(Document{.asset = second}.text()).generator, "Maker 2.0");
    EXPECT_EQ(scene.format, "dae");
}

TEST(DaeDocument, ColladaIsDetectedByContent)
{
    const std::string yes = "<?xml version='1.0'?><COLLADA>", no = "<?xml version='1.0'?><svg>";
    EXPECT_TRUE(is_dae(std::as_bytes(std::span(yes))));
    EXPECT_FALSE(is_dae(std::as_bytes(std::span(no))));
}

TEST(DaeDocument, FilesThatOnlyAnimate)
{
    const auto only = [](const std::string& text) {
        return is_animation_only_dae(std::as_bytes(std::span(text)));
    };
    const std::string animation =
        "<animation><sampler id='s'/><channel source='#s' target='a/b'/></animation>";
    EXPECT_TRUE(only("<COLLADA>" + animation + "</COLLADA>"));
    EXPECT_FALSE(only("<COLLADA>" + animation + "<mesh></mesh></COLLADA>"));
    EXPECT_FALSE(only("<COLLADA></COLLADA>"));
}

std::string bytes_of(vitrine::test::ZipBuilder& zip)
{
    return zip.bytes();
}

TEST(DaeArchive, ManifestNamesTheDocument)
{
    vitrine::test::ZipBuilder zip;
    zip.add("manifest.xml", "<dae_root>./in%20here/b.dae</dae_root>");
    zip.add("a.dae", "<COLLADA/>");
    zip.add("in here/b.dae", drawing("lib.dae#g"));
    zip.add("in here/lib.dae", library_file());
    const scene::Scene scene = loaded(bytes_of(zip));
    EXPECT_THAT(scene.meshes, SizeIs(1));
    EXPECT_EQ(scene.format, "zae");
}

TEST(DaeArchive, WithoutOneTheNearestDocument)
{
    vitrine::test::ZipBuilder zip;
    zip.add("deep/a.dae", "<COLLADA/>");
    zip.add("z.dae", drawing("deep/l.dae#g"));
    zip.add("deep/l.dae", library_file());
    EXPECT_THAT(loaded(bytes_of(zip)).meshes, SizeIs(1));
}

TEST(DaeArchive, ManifestWithoutADocumentIsReported)
{
    for (const std::string manifest : {"<dae_root>nope.dae</dae_root>", "<dae_root/>", "no XML"}) {
        vitrine::test::ZipBuilder zip;
        zip.add("manifest.xml", manifest);
        zip.add("m.dae", Document{}.text());
        EXPECT_TRUE(warns(loaded(bytes_of(zip)), "invalid_manifest")) << manifest;
    }
}

TEST(DaeArchive, ZipInsideIsRejectedAsOne)
{
    vitrine::test::ZipBuilder inner, outer;
    inner.add("m.dae", Document{}.text());
    outer.add("manifest.xml", "<dae_root>./dir/inner.zae</dae_root>");
    outer.add("dir/inner.zae", bytes_of(inner));
    const auto rejected = load(bytes_of(outer));
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().code, LoadErrc::unsupported);
    EXPECT_THAT(rejected.error().detail, HasSubstr("dir/inner.zae"));
}

TEST(DaeDocument, DocumentsFoundElsewhereAreReported)
{
    EXPECT_TRUE(warns(loaded(drawing("file:///home/me/lib.dae#g"), {{"lib.dae", library_file()}}),
                      "found_elsewhere"));
    EXPECT_FALSE(warns(loaded(drawing("lib.dae#g"), {{"lib.dae", library_file()}}), "found_elsewhere"));
}

// A document already opened by its own name is reported again under another name.
TEST(DaeDocument, EachNameOfADocumentFoundElsewhereIsReportedOnce)
{
    std::string nodes;
    for (const std::string name : {"lib.dae", "http://x.y/lib.dae", "http://x.y/lib.dae", "LIB.dae"})
        nodes += "<node><instance_geometry url='" + name + "#g'/></node>";
    const scene::Scene scene = loaded(Document{.nodes = nodes}.text(), {{"lib.dae", library_file()}});
    EXPECT_EQ(std::ranges::count(scene.warnings, "found_elsewhere", &scene::Warning::code), 2);
}

TEST(DaeDocument, InvalidUnitsAndAxes)
{
    for (const std::string asset : {"<unit meter='0'/>", "<unit meter='abc'/>", "<up_axis>W_UP</up_axis>"}) {
        const scene::Scene scene = loaded(Document{.asset = asset}.text());
        EXPECT_TRUE(warns(scene, "invalid_asset")) << asset;
        EXPECT_EQ(scene.file_space.unit_meters, 1.0);
    }
    EXPECT_FALSE(
        warns(loaded(Document{.asset = "<unit name='m'/><up_axis>Z_UP</up_axis>"}.text()), "invalid_asset"));
}

TEST(DaeArchive, WithoutAnyItIsRejected)
{
    vitrine::test::ZipBuilder zip;
    zip.add("readme.txt", "nothing");
    EXPECT_EQ(load(bytes_of(zip)).error().code, LoadErrc::missing_file);
}

TEST(DaeDocument, EntitiesAreReplacedByTheirText)
{
    const std::string document =
        Document{.nodes = "<node name='&n;'><translate>&p;</translate>&m;</node>"}.text();
    const std::string type =
        "<!DOCTYPE COLLADA [<!ENTITY p '5 0 0'><!ENTITY n 'door'><!ENTITY m SYSTEM 'm.xml'>]>";
    const scene::Scene scene = loaded(type + document.substr(document.find('\n')));
    ASSERT_EQ(scene.nodes.size(), 1u);
    EXPECT_EQ(scene.nodes[0].name, "door");
    EXPECT_EQ(scene.nodes[0].local.translation, glm::vec3(5, 0, 0));
    EXPECT_TRUE(warns(scene, "unknown_entity"));
}

// All attributes of the schema are URLs, names, tokens or numbers: white space around them does not count.
TEST(DaeDocument, BlanksAroundAttributesDoNotCount)
{
    const std::string blanks =
        "<geometry id=' g '><mesh>" + source(" g-p ", "0 0 0 1 0 0 1 1 0", 3, 3) +
        "<vertices id=' g-v'><input semantic=' POSITION ' source=' #g-p '/></vertices><triangles count=' 1 ' "
        "material=' m '><input semantic=' VERTEX' source='#g-v ' offset=' 0 '/><p>0 1 "
        "2</p></triangles></mesh>"
        "</geometry>";
    const scene::Scene scene = loaded(Document{.libraries = library("geometries", blanks),
                                               .nodes = "<node><instance_geometry url=' #g '/></node>"}
                                          .text());
    ASSERT_EQ(scene.meshes.size(), 1u);
    EXPECT_EQ(scene.meshes[0].indices.size(), 3u);
    EXPECT_FALSE(warns(scene, "missing_element"));
}

TEST(DaeDocument, VersionsBefore14AreRejected)
{
    const auto rejected =
        load("<COLLADA version='1.3.1'><library type='GEOMETRY'/><scene id='s'/></COLLADA>");
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().code, LoadErrc::unsupported);
    EXPECT_EQ(rejected.error().detail, "COLLADA '1.3.1' is not supported; only 1.4 and 1.5 are");
    for (const std::string version : {"1.4", "1.5.0", "1.30", "", "1"})
        EXPECT_TRUE(load("<COLLADA version='" + version + "'/>")) << version;
    std::string misnamed = drawing("#g");
    misnamed.replace(misnamed.find("1.4.1"), 5, "1.3.1");
    misnamed.insert(misnamed.find("<library_visual"), library("geometries", square("g")));
    EXPECT_THAT(loaded(misnamed).meshes, SizeIs(1));
}

} // namespace
} // namespace vitrine::dae::test
