#include <array>
#include <bit>

#include <gmock/gmock.h>

#include "loaders/fbx/fbx.hpp"
#include "loaders/fbx/meshes/cache_samples.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::fbx {
namespace {

using testing::ElementsAre;

template <class T>
std::string big(T value)
{
    auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
    std::ranges::reverse(bytes);
    return {bytes.data(), bytes.size()};
}

// A chunk of either width, padded to its alignment.
std::string chunk(bool wide, const std::string& tag, const std::string& data)
{
    const std::size_t unit = wide ? 8 : 4;
    const std::string size = wide ? std::string(4, '\x5a') + big(std::uint64_t{data.size()})
                                  : big(static_cast<std::uint32_t>(data.size()));
    return tag + size + data + std::string((unit - data.size() % unit) % unit, '\0');
}
std::string group(bool wide, const std::string& type, const std::string& inside)
{
    const std::size_t size = inside.size() + 4;
    return (wide ? "FOR8" + std::string(4, '\0') + big(std::uint64_t{size})
                 : "FOR4" + big(static_cast<std::uint32_t>(size))) +
           type + inside;
}

std::string points_of(bool wide, float x)
{
    std::string out;
    for (const float value : {0.0f, 0.0f, 0.0f, x, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f})
        out += wide ? big(double{value}) : big(value);
    return out;
}

// Three points of channel "shape" at two times; doubles in the wide form.
std::string maya_cache(bool wide)
{
    std::string out =
        group(wide, "CACH",
              chunk(wide, "VRSN", std::string("0.1\0", 4)) + chunk(wide, "STIM", big(std::int32_t{0})));
    for (const int frame : {0, 1}) {
        out += group(
            wide, "MYCH",
            chunk(wide, "TIME", big(std::int32_t{6000 * frame})) +
                chunk(wide, "CHNM", std::string("shape\0", 6)) + chunk(wide, "SIZE", big(std::int32_t{3})) +
                chunk(wide, wide ? "DVCA" : "FVCA", points_of(wide, 1.0f + static_cast<float>(frame))));
    }
    return out;
}

std::string pc2()
{
    const auto little = [](auto value) {
        const auto bytes = std::bit_cast<std::array<char, sizeof(value)>>(value);
        return std::string(bytes.data(), bytes.size());
    };
    std::string out("POINTCACHE2\0", 12);
    out += little(std::int32_t{1}) + little(std::int32_t{3}) + little(0.0f) + little(24.0f) +
           little(std::int32_t{2});
    for (const float x : {1.0f, 2.0f})
        for (const float value : {0.0f, 0.0f, 0.0f, x, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f})
            out += little(value);
    return out;
}

constexpr std::string_view description = R"(<?xml version="1.0"?>
<Autodesk_Cache_File><cacheType Type="OneFile" Format="FORMAT"/><Channels>
<channel0 ChannelName="shape" ChannelType="FloatVectorArray" ChannelInterpretation="positions"/>
</Channels></Autodesk_Cache_File>)";

std::string described(const std::string& format)
{
    std::string text(description);
    return text.replace(text.find("FORMAT"), 6, format);
}

std::string model(const std::string& cache)
{
    return "; FBX 7.7.0 project file\nGlobalSettings: { Properties70: { P: \"TimeMode\", \"enum\", \"\", "
           "\"\",11\n"
           "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100 } }\n"
           "Objects: { Model: 1, \"Model::m\", \"Mesh\" { }\nGeometry: 2, \"Geometry::g\", \"Mesh\" {\n"
           "Vertices: *9 { a: 0,0,0,9,0,0,0,1,0 }\nPolygonVertexIndex: *3 { a: 0,1,-3 } }\n"
           "Deformer: 3, \"Deformer::d\", \"VertexCacheDeformer\" { Properties70: { P: \"ChannelName\", "
           "\"KString\", \"\", "
           "\"\", \"shape\" } }\n"
           "Cache: 4, \"Cache::c\", \"\" { Properties70: { P: \"CacheFileName\", \"KString\", \"\", \"\", "
           "\"caches\\" +
           cache +
           "\" } }\n}\nConnections: {\nC: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,2\nC: \"OO\",4,3\n}\n";
}

scene::Scene load_cache(const std::string& cache, std::map<std::string, std::string> files)
{
    files["m.fbx"] = model(cache);
    test::MemorySource source("m.fbx", std::move(files));
    return test::valid(load_fbx(source, {}));
}

void expect_two_frames(const scene::Scene& scene)
{
    ASSERT_EQ(scene.meshes.size(), 1u);
    const scene::VertexFrames& frames = scene.meshes[0].frames;
    ASSERT_EQ(frames.count, 2u);
    EXPECT_EQ(frames.positions[1], glm::vec3(1.0f, 0.0f, 0.0f));
    EXPECT_EQ(frames.positions[4], glm::vec3(2.0f, 0.0f, 0.0f));
    ASSERT_EQ(scene.clips.size(), 1u);
    EXPECT_EQ(scene.clips[0].frames, 25u); // one second, both end frames included
    ASSERT_EQ(scene.clips[0].channels.size(), 1u);
    EXPECT_THAT(scene.clips[0].channels[0].times, ElementsAre(0.0f, 1.0f));
    EXPECT_THAT(scene.clips[0].channels[0].values, ElementsAre(0.0f, 1.0f));
}

TEST(FbxCache, ReadsMayaCachesOfBothWidths)
{
    expect_two_frames(
        load_cache("c.xml", {{"caches/c.xml", described("mcc")}, {"caches/c.mc", maya_cache(false)}}));
    expect_two_frames(
        load_cache("c.xml", {{"caches/c.xml", described("mcx")}, {"caches/c.mcx", maya_cache(true)}}));
    expect_two_frames(load_cache("c.mcx", {{"caches/c.mcx", maya_cache(true)}}));
}

TEST(FbxCache, ReadsAFileForEachFrame)
{
    std::map<std::string, std::string> files{{"caches/c.xml", described("mcc")}};
    for (const int frame : {0, 1}) {
        files["caches/cFrame" + std::to_string(frame * 24) + ".mc"] =
            group(false, "CACH", chunk(false, "STIM", big(std::int32_t{6000 * frame}))) +
            group(false, "MYCH",
                  chunk(false, "CHNM", std::string("shape\0", 6)) +
                      chunk(false, "FVCA", points_of(false, 1.0f + static_cast<float>(frame))));
    }
    expect_two_frames(load_cache("c.xml", files));
}

TEST(FbxCache, ReadsPointCaches)
{
    expect_two_frames(load_cache("c.pc2", {{"caches/c.pc2", pc2()}}));
}

TEST(FbxCache, ShowsTheMeshWithoutACacheThatIsWrong)
{
    const auto codes = [](const scene::Scene& scene) {
        std::vector<std::string> out;
        for (const auto& warning : scene.warnings)
            out.push_back(warning.code);
        return out;
    };
    EXPECT_THAT(codes(load_cache("gone.xml", {})), ElementsAre("missing_cache"));
    EXPECT_THAT(codes(load_cache("c.xml", {{"caches/c.xml", described("mcc")}})),
                ElementsAre("missing_cache"));
    EXPECT_THAT(codes(load_cache("c.mc", {{"caches/c.mc", maya_cache(false).substr(0, 90)}})),
                ElementsAre("invalid_cache"));
    const std::string fewer =
        group(false, "MYCH", chunk(false, "CHNM", "shape") + chunk(false, "FVCA", std::string(12, '\0')));
    const auto scene = load_cache("c.mc", {{"caches/c.mc", fewer}});
    EXPECT_THAT(codes(scene), ElementsAre("invalid_cache"));
    EXPECT_EQ(scene.meshes[0].frames.count, 0u);
    EXPECT_EQ(scene.meshes[0].positions[1].x, 9.0f);
}

} // namespace
} // namespace vitrine::fbx
