// Times outside of a clip whose curves repeat.

#include "tests/integration/cli/program.hpp"

using vitrine::test::Cli;

namespace {

// Returns a curve's sources and sampler, and its channel.
std::string dae_curve(const std::string& id, const std::string& end, const std::string& value,
                      const std::string& behavior)
{
    const auto source = [&](const std::string& name, const std::string& numbers) {
        return "<source id='" + id + name + "'><float_array id='" + id + name + "a' count='2'>" + numbers +
               "</float_array><technique_common><accessor source='#" + id + name +
               "a' count='2'/></technique_common></source>";
    };
    return "<animation>" + source("i", "0 " + end) + source("o", "0 " + value) + "<sampler id='" + id +
           "' post_behavior='" + behavior + "'><input semantic='INPUT' source='#" + id +
           "i'/><input semantic='OUTPUT' source='#" + id + "o'/></sampler><channel source='#" + id +
           "' target='n/t." + id + "'/></animation>";
}

const std::string two_periods =
    "<COLLADA version='1.5.0'><asset><up_axis>Y_UP</up_axis></asset><library_animations>" +
    dae_curve("X", "1", "10", "CYCLE") + dae_curve("Y", "0.7", "7", "OSCILLATE") +
    "</library_animations><library_geometries><geometry id='g'><mesh><source id='p'><float_array id='pa' "
    "count='9'>0 0 0 1 0 0 0 1 0</float_array><technique_common><accessor source='#pa' count='3' "
    "stride='3'/></technique_common></source><vertices id='v'><input semantic='POSITION' "
    "source='#p'/></vertices><triangles count='1'><input semantic='VERTEX' source='#v' offset='0'/>"
    "<p>0 1 2</p></triangles></mesh></geometry></library_geometries><library_visual_scenes>"
    "<visual_scene id='s'><node id='n'><translate sid='t'>0 0 0</translate><instance_geometry "
    "url='#g'/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/>"
    "</scene></COLLADA>";

} // namespace

// One clip plays x from 1 to 2 s of 0 to 4, another one y.
TEST_F(Cli, ColladaTimelineSpansAllCurves)
{
    std::string text = two_periods;
    const auto replace = [&](std::string_view old, std::string_view now) {
        text.replace(text.find(old), old.size(), now);
    };
    replace("<animation>", "<animation id='x'>");
    replace("<animation>", "<animation id='y'>");
    replace("<library_geometries>",
            "<library_animation_clips><animation_clip name='one' start='0.25' end='0.5'><instance_animation "
            "url='#x'/></animation_clip><animation_clip name='two' start='0.5' end='0.7'><instance_animation "
            "url='#y'/></animation_clip></library_animation_clips><library_geometries>");
    const auto file = write("clips.dae", text);
    for (const double time : {0.0, 0.3, 0.6, 1.3}) {
        const auto corner = bake(file, {"--file-time", std::to_string(time)}).at(0);
        EXPECT_NEAR(corner.x, 10.0 * std::fmod(time, 1.0), 1e-4) << time;
        EXPECT_NEAR(corner.y, 10.0 * std::min(time, 1.4 - time), 1e-4) << time;
        const auto x_alone = bake(file, {"--clip", "one", "--file-time", std::to_string(time)}).at(0);
        EXPECT_NEAR(x_alone.x, 10.0 * std::fmod(time, 1.0), 1e-4) << time;
        EXPECT_NEAR(x_alone.y, 0.0, 1e-6) << time;
    }
    const auto within = bake(file, {"--clip", "one", "--time", "9"}).at(0);
    EXPECT_NEAR(within.x, 5.0, 1e-4) << "a time of the clip stays in it";
}

// x repeats every second, y ping-pongs in 1.4 s: no finite track represents both permanently.
TEST_F(Cli, PeriodicCurvesAreExactFarOutsideTheClip)
{
    const auto curve = [](int id, const char* end, const char* value, const char* ends) {
        return "AnimationCurve: " + std::to_string(id) + ", \"AnimCurve::\", \"\" { KeyTime: *2 { a: 0," +
               end + " }\nKeyValueFloat: *2 { a: 0," + value +
               " }\nKeyAttrFlags: *1 { a: 4 }\nKeyAttrDataFloat: *4 { a: 0,0,0,0 }\nKeyAttrRefCount: *1 { a: "
               "2 }\n"
               "Post-Extrapolation: { Type: \"" +
               ends + "\" Repetition: -1 } }\n";
    };
    const auto file = write(
        "periods.fbx",
        "; FBX 7.4.0 project file\nGlobalSettings: { Properties70: { P: \"UnitScaleFactor\", \"double\", "
        "\"Number\", "
        "\"\",100 } }\nObjects: { Model: 1, \"Model::m\", \"Mesh\" { }\nGeometry: 2, \"Geometry::g\", "
        "\"Mesh\" { "
        "Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 }\nPolygonVertexIndex: *3 { a: 0,1,-3 } }\n"
        "AnimationStack: 50, \"AnimStack::s\", \"\" { }\nAnimationLayer: 51, \"AnimLayer::b\", \"\" { }\n"
        "AnimationCurveNode: 60, \"AnimCurveNode::T\", \"\" { }\n" +
            curve(70, "46186158000", "10", "R") + curve(71, "32330310600", "7", "M") +
            "}\nConnections: { C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",51,50\nC: \"OO\",60,51\n"
            "C: \"OP\",60,1, \"Lcl Translation\"\nC: \"OP\",70,60, \"d|X\"\nC: \"OP\",71,60, \"d|Y\"\n}\n");
    for (const auto& model : {file, write("periods.dae", two_periods)}) {
        for (const double time : {30.25, 75.25, 1000.25}) {
            const double turn = std::fmod(time, 1.4);
            const auto corner = bake(model, {"--file-time", std::to_string(time)}).at(0);
            EXPECT_NEAR(corner.x, 10.0 * std::fmod(time, 1.0), 1e-4) << model << " " << time;
            EXPECT_NEAR(corner.y, 10.0 * std::min(turn, 1.4 - turn), 1e-4) << model << " " << time;
        }
        const auto held = bake(model, {"--file-time", "30.25", "--no-extrapolation"}).at(0);
        EXPECT_NEAR(held.x, 10.0, 1e-4) << model;
        EXPECT_NEAR(held.y, 7.0, 1e-4) << model;
    }
}
