// Writes the grid as OBJ, ASCII FBX and COLLADA.

#include <string>

#include "tests/bench/loaders/file.hpp"
#include "tests/bench/loaders/grid.hpp"

namespace vitrine::bench {
namespace {

void print_vectors(OutFile& out, const Grid& grid, const char* separator, glm::vec3 (Grid::*value)(int) const)
{
    for (int i = 0; i < grid.vertices(); ++i) {
        const auto v = (grid.*value)(i);
        out.print(FMT_COMPILE("{}{:.6f}{}{:.6f}{}{:.6f}"), i == 0 ? "" : separator, v.x, separator, v.y,
                  separator, v.z);
    }
}

void print_uvs(OutFile& out, const Grid& grid, const char* separator)
{
    for (int i = 0; i < grid.vertices(); ++i) {
        const auto uv = grid.uv(i);
        out.print(FMT_COMPILE("{}{:.6f}{}{:.6f}"), i == 0 ? "" : separator, uv.x, separator, uv.y);
    }
}

void begin_source(OutFile& out, const char* id, int values)
{
    out.print_once("<source id=\"{}\"><float_array id=\"{}-array\" count=\"{}\">", id, id, values);
}

void end_source(OutFile& out, const char* id, int count, const char* names)
{
    out.print_once(
        "</float_array><technique_common><accessor source=\"#{}-array\" count=\"{}\" stride=\"{}\">", id,
        count, std::string_view(names).size());
    for (const char* name = names; *name != 0; ++name)
        out.print_once("<param name=\"{}\" type=\"float\"/>", *name);
    out.write("</accessor></technique_common></source>\n");
}

} // namespace

void write_obj(const Grid& grid, const std::filesystem::path& path)
{
    OutFile out(path);
    for (int i = 0; i < grid.vertices(); ++i) {
        const auto p = grid.position(i), n = grid.normal(i);
        const auto uv = grid.uv(i);
        out.print(FMT_COMPILE("v {:.6f} {:.6f} {:.6f}\nvt {:.6f} {:.6f}\nvn {:.6f} {:.6f} {:.6f}\n"), p.x,
                  p.y, p.z, uv.x, uv.y, n.x, n.y, n.z);
    }
    grid.each_triangle([&](int a, int b, int c) {
        out.print(FMT_COMPILE("f {0}/{0}/{0} {1}/{1}/{1} {2}/{2}/{2}\n"), a + 1, b + 1, c + 1);
    });
}

void write_fbx_ascii(const Grid& grid, const std::filesystem::path& path)
{
    OutFile out(path);
    out.write("; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7400\n}\nObjects:  {\n"
              "\tGeometry: 1, \"Geometry::grid\", \"Mesh\" {\n");
    out.print_once("\t\tVertices: *{} {{\n\t\t\ta: ", 3 * grid.vertices());
    print_vectors(out, grid, ",", &Grid::position);
    out.print_once("\n\t\t}}\n\t\tPolygonVertexIndex: *{} {{\n\t\t\ta: ", 3 * grid.triangles());
    const char* comma = "";
    grid.each_triangle([&](int a, int b, int c) {
        out.print(FMT_COMPILE("{}{},{},{}"), comma, a, b, -c - 1);
        comma = ",";
    });
    out.print_once("\n\t\t}}\n\t\tLayerElementNormal: 0 {{\n\t\t\tMappingInformationType: \"ByVertice\"\n"
                   "\t\t\tReferenceInformationType: \"Direct\"\n\t\t\tNormals: *{} {{\n\t\t\t\ta: ",
                   3 * grid.vertices());
    print_vectors(out, grid, ",", &Grid::normal);
    out.print_once(
        "\n\t\t\t}}\n\t\t}}\n\t\tLayerElementUV: 0 {{\n\t\t\tMappingInformationType: \"ByPolygonVertex\"\n"
        "\t\t\tReferenceInformationType: \"IndexToDirect\"\n\t\t\tUV: *{} {{\n\t\t\t\ta: ",
        2 * grid.vertices());
    print_uvs(out, grid, ",");
    out.print_once("\n\t\t\t}}\n\t\t\tUVIndex: *{} {{\n\t\t\t\ta: ", 3 * grid.triangles());
    comma = "";
    grid.each_triangle([&](int a, int b, int c) {
        out.print(FMT_COMPILE("{}{},{},{}"), comma, a, b, c);
        comma = ",";
    });
    out.write(
        "\n\t\t\t}\n\t\t}\n\t\tLayer: 0 {\n\t\t\tLayerElement:  {\n\t\t\t\tType: \"LayerElementNormal\"\n"
        "\t\t\t\tTypedIndex: 0\n\t\t\t}\n\t\t\tLayerElement:  {\n\t\t\t\tType: \"LayerElementUV\"\n"
        "\t\t\t\tTypedIndex: 0\n\t\t\t}\n\t\t}\n\t}\n\tModel: 2, \"Model::grid\", \"Mesh\" {\n\t}\n}\n"
        "Connections:  {\n\tC: \"OO\",1,2\n\tC: \"OO\",2,0\n}\n");
}

void write_dae(const Grid& grid, const std::filesystem::path& path)
{
    OutFile out(path);
    out.write("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<COLLADA "
              "xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
              "version=\"1.4.1\">\n<asset><unit meter=\"1\"/><up_axis>Y_UP</up_axis></asset>\n"
              "<library_geometries><geometry id=\"grid\"><mesh>\n");
    begin_source(out, "positions", 3 * grid.vertices());
    print_vectors(out, grid, " ", &Grid::position);
    end_source(out, "positions", grid.vertices(), "XYZ");
    begin_source(out, "normals", 3 * grid.vertices());
    print_vectors(out, grid, " ", &Grid::normal);
    end_source(out, "normals", grid.vertices(), "XYZ");
    begin_source(out, "uvs", 2 * grid.vertices());
    print_uvs(out, grid, " ");
    end_source(out, "uvs", grid.vertices(), "ST");
    out.write("<vertices id=\"vertices\"><input semantic=\"POSITION\" source=\"#positions\"/></vertices>\n");
    out.print_once(
        "<triangles count=\"{}\"><input semantic=\"VERTEX\" source=\"#vertices\" offset=\"0\"/><input "
        "semantic=\"NORMAL\" source=\"#normals\" offset=\"1\"/><input semantic=\"TEXCOORD\" source=\"#uvs\" "
        "offset=\"2\" set=\"0\"/><p>",
        grid.triangles());
    grid.each_triangle([&](int a, int b, int c) {
        out.print(FMT_COMPILE("{0} {0} {0} {1} {1} {1} {2} {2} {2} "), a, b, c);
    });
    out.write(
        "</p></triangles></mesh></geometry></library_geometries>\n<library_visual_scenes><visual_scene "
        "id=\"scene\"><node id=\"node\"><instance_geometry url=\"#grid\"/></node></visual_scene>"
        "</library_visual_scenes>\n<scene><instance_visual_scene url=\"#scene\"/></scene>\n</COLLADA>\n");
}

} // namespace vitrine::bench
