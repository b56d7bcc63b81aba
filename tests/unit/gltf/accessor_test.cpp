// Every component type, stride, normalization and sparse form, tested through a loaded mesh.

#include "tests/unit/gltf/builder.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::valid;
using test::warned;

// Loads a mesh of points whose POSITION is accessor `position`.
LoadResult<scene::Scene> load_points(GltfBuilder& builder, int position, const std::string& more = {})
{
    builder.add("nodes", R"({"mesh":0})");
    builder.mesh("\"POSITION\":" + std::to_string(position) + more, R"(,"mode":0)");
    return builder.load_glb();
}

template <class T>
glm::vec3 second_point(const std::vector<T>& values, const std::string& more = {})
{
    GltfBuilder builder;
    const int position = builder.accessor<T>(values, "VEC3", more);
    const scene::Scene scene = valid(load_points(builder, position));
    return scene.meshes.at(0).positions.at(1);
}

TEST(GltfAccessor, EveryComponentType)
{
    EXPECT_EQ(second_point<float>({0, 0, 0, 1, 2, -3}), glm::vec3(1, 2, -3));
    EXPECT_EQ(second_point<std::int8_t>({0, 0, 0, 1, 2, -128}), glm::vec3(1, 2, -128));
    EXPECT_EQ(second_point<std::uint8_t>({0, 0, 0, 1, 2, 255}), glm::vec3(1, 2, 255));
    EXPECT_EQ(second_point<std::int16_t>({0, 0, 0, 1, 2, -32768}), glm::vec3(1, 2, -32768));
    EXPECT_EQ(second_point<std::uint16_t>({0, 0, 0, 1, 2, 65535}), glm::vec3(1, 2, 65535));
    EXPECT_EQ(second_point<std::uint32_t>({0, 0, 0, 1, 2, 70000}), glm::vec3(1, 2, 70000));
}

TEST(GltfAccessor, NormalizedIntegers)
{
    const std::string normalized = R"(,"normalized":true)";
    EXPECT_EQ(second_point<std::int8_t>({0, 0, 0, 127, -127, -128}, normalized), glm::vec3(1, -1, -1));
    EXPECT_EQ(second_point<std::uint8_t>({0, 0, 0, 255, 51, 0}, normalized), glm::vec3(1, 0.2f, 0));
    EXPECT_EQ(second_point<std::int16_t>({0, 0, 0, 32767, -32767, -32768}, normalized), glm::vec3(1, -1, -1));
    EXPECT_EQ(second_point<std::uint16_t>({0, 0, 0, 65535, 13107, 0}, normalized), glm::vec3(1, 0.2f, 0));
    EXPECT_EQ(second_point<float>({0, 0, 0, 3, 4, 5}, normalized), glm::vec3(3, 4, 5));
}

TEST(GltfAccessor, InterleavedWithAnOffset)
{
    GltfBuilder builder;
    const int view = builder.view(test::to_bytes<float>({9, 1, 2, 3, 9, 9, 4, 5, 6, 9}), 20);
    const int position = builder.accessor_in(view, 2, 5126, "VEC3", R"(,"byteOffset":4)");
    const scene::Scene scene = valid(load_points(builder, position));
    EXPECT_EQ(scene.meshes[0].positions, (std::vector<glm::vec3>{{1, 2, 3}, {4, 5, 6}}));
}

TEST(GltfAccessor, QuantizedWithPadding)
{
    GltfBuilder builder;
    const int view = builder.view(test::to_bytes<std::int16_t>({1, 2, 3, 0, 4, 5, 6, 0}), 8);
    const scene::Scene scene = valid(load_points(builder, builder.accessor_in(view, 2, 5122, "VEC3")));
    EXPECT_EQ(scene.meshes[0].positions, (std::vector<glm::vec3>{{1, 2, 3}, {4, 5, 6}}));
}

std::string sparse(int indices, int values, int component = 5123, int count = 1)
{
    return R"(,"sparse":{"count":)" + std::to_string(count) + R"(,"indices":{"bufferView":)" +
           std::to_string(indices) + R"(,"componentType":)" + std::to_string(component) +
           R"(},"values":{"bufferView":)" + std::to_string(values) + "}}";
}

TEST(GltfAccessor, SparseOverAView)
{
    GltfBuilder builder;
    const int base = builder.view(test::to_bytes<float>({1, 1, 1, 2, 2, 2, 3, 3, 3}));
    const int indices = builder.view(test::to_bytes<std::uint16_t>({1}));
    const int values = builder.view(test::to_bytes<float>({7, 8, 9}));
    const int position = builder.accessor_in(base, 3, 5126, "VEC3", sparse(indices, values));
    const scene::Scene scene = valid(load_points(builder, position));
    EXPECT_EQ(scene.meshes[0].positions, (std::vector<glm::vec3>{{1, 1, 1}, {7, 8, 9}, {3, 3, 3}}));
}

TEST(GltfAccessor, SparseOverZeros)
{
    GltfBuilder builder;
    const int indices = builder.view(test::to_bytes<std::uint8_t>({2, 0}));
    const int values = builder.view(test::to_bytes<float>({7, 8, 9, 1, 2, 3}));
    const int position = builder.accessor_in(-1, 3, 5126, "VEC3", sparse(indices, values, 5121, 2));
    const scene::Scene scene = valid(load_points(builder, position));
    EXPECT_EQ(scene.meshes[0].positions, (std::vector<glm::vec3>{{1, 2, 3}, {0, 0, 0}, {7, 8, 9}}));
}

std::vector<std::string> places_of_invalid(const scene::Scene& scene)
{
    std::vector<std::string> places;
    for (const scene::Warning& warning : scene.warnings)
        if (warning.code == "invalid_accessor") places.push_back(warning.where);
    return places;
}

TEST(GltfAccessor, SparseIndicesAscend)
{
    const auto places = [](const std::vector<std::uint8_t>& indices) {
        GltfBuilder builder;
        const int at = builder.view(test::to_bytes(indices));
        const int values = builder.view(test::to_bytes<float>({7, 8, 9, 1, 2, 3}));
        const int position = builder.accessor_in(-1, 3, 5126, "VEC3", sparse(at, values, 5121, 2));
        return places_of_invalid(valid(load_points(builder, position)));
    };
    const std::vector<std::string> odd = {"/accessors/0/sparse/indices"}, none;
    EXPECT_EQ(places({0, 2}), none);
    EXPECT_EQ(places({2, 0}), odd);
    EXPECT_EQ(places({1, 1}), odd);
}

TEST(GltfAccessor, ComponentsLieAtMultiplesOfTheirSize)
{
    const auto places = [](int component, int view_offset, int offset) {
        GltfBuilder builder;
        builder.view(std::string(64, '\0'));
        builder.add("bufferViews",
                    R"({"buffer":0,"byteLength":48,"byteOffset":)" + std::to_string(view_offset) + "}");
        const int position =
            builder.accessor_in(1, 3, component, "VEC3", R"(,"byteOffset":)" + std::to_string(offset));
        builder.root(R"("extensionsUsed":["KHR_mesh_quantization"])");
        return places_of_invalid(valid(load_points(builder, position)));
    };
    const std::vector<std::string> odd = {"/accessors/0"}, none;
    EXPECT_EQ(places(5126, 4, 8), none);
    EXPECT_EQ(places(5126, 0, 1), odd);
    EXPECT_EQ(places(5126, 2, 2), odd) << "the accessor's own offset counts, and both together";
    EXPECT_EQ(places(5126, 2, 0), odd);
    EXPECT_EQ(places(5122, 2, 0), none);
    EXPECT_EQ(places(5122, 1, 0), odd);
    EXPECT_EQ(places(5121, 1, 2), none);
}

TEST(GltfAccessor, SparsePartsLieAtMultiplesOfTheirSize)
{
    GltfBuilder builder;
    const int indices = builder.view(std::string("\0\1\0", 3));
    const int values = builder.view(std::string(16, '\0'));
    builder.accessor_in(-1, 2, 5126, "VEC3",
                        R"(,"sparse":{"count":1,"indices":{"bufferView":)" + std::to_string(indices) +
                            R"(,"componentType":5123,"byteOffset":1},"values":{"bufferView":)" +
                            std::to_string(values) + R"(,"byteOffset":2}})");
    EXPECT_EQ(places_of_invalid(valid(load_points(builder, 0))),
              (std::vector<std::string>{"/accessors/0/sparse/indices", "/accessors/0/sparse/values"}));
}

TEST(GltfAccessor, BrokenOnesAreRejectedWithTheirPlace)
{
    const auto error_text = [](const std::string& accessor) {
        GltfBuilder builder;
        builder.view(test::to_bytes<float>({1, 2, 3, 4, 5, 6}));
        builder.view(test::to_bytes<std::uint8_t>({9, 0, 0, 0}));
        builder.add("accessors", accessor);
        const auto loaded = load_points(builder, 0);
        EXPECT_FALSE(loaded) << accessor;
        if (!loaded) {
            EXPECT_TRUE(loaded.error().where.starts_with("/accessors/0")) << loaded.error().where;
            EXPECT_FALSE(loaded.error().detail.empty());
        }
        return loaded ? LoadErrc::internal : loaded.error().code;
    };
    const std::string good = R"({"bufferView":0,"componentType":5126,"type":"VEC3")";
    EXPECT_EQ(error_text(good + R"(,"count":3})"), LoadErrc::out_of_range);
    EXPECT_EQ(error_text(good + R"(,"count":2,"byteOffset":4})"), LoadErrc::out_of_range);
    EXPECT_EQ(error_text(good + R"(,"count":2,"byteOffset":9007199254740991})"), LoadErrc::out_of_range);
    EXPECT_EQ(error_text(good + R"(,"count":4294967294})"), LoadErrc::out_of_range);
    EXPECT_EQ(error_text(good + R"(,"count":9007199254740991})"), LoadErrc::limit_exceeded);
    EXPECT_EQ(error_text(good + R"(,"count":-1})"), LoadErrc::malformed);
    EXPECT_EQ(error_text(good + R"(,"count":1.5})"), LoadErrc::malformed);
    EXPECT_EQ(error_text(good + "}"), LoadErrc::malformed);
    EXPECT_EQ(error_text(R"({"bufferView":0,"componentType":5130,"type":"VEC3","count":1})"),
              LoadErrc::malformed);
    EXPECT_EQ(error_text(R"({"bufferView":0,"componentType":5126,"type":"VEC5","count":1})"),
              LoadErrc::malformed);
    EXPECT_EQ(error_text(R"({"bufferView":7,"componentType":5126,"type":"VEC3","count":1})"),
              LoadErrc::out_of_range);
    EXPECT_EQ(error_text(good + R"(,"count":2)" + sparse(1, 0, 5121) + "}"), LoadErrc::out_of_range);
    EXPECT_EQ(error_text(good + R"(,"count":2)" + sparse(1, 0, 5121, 3) + "}"), LoadErrc::out_of_range);
    const std::string indices = R"("indices":{"bufferView":1,"componentType":5121})";
    EXPECT_EQ(error_text(good + R"(,"count":2,"sparse":{"count":1,)" + indices + "}}"), LoadErrc::malformed);
    EXPECT_EQ(error_text(good + R"(,"count":2,"sparse":{"count":1,"values":{"bufferView":0}}})"),
              LoadErrc::malformed);
}

TEST(GltfAccessor, ZerosWithoutAViewAreLimited)
{
    GltfBuilder builder;
    const int position = builder.accessor_in(-1, 4'000'000'000, 5126, "VEC3");
    EXPECT_EQ(load_points(builder, position).error().code, LoadErrc::limit_exceeded);
}

TEST(GltfAccessor, InvalidNumbersBecomeZeroWithAWarning)
{
    GltfBuilder builder;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const int position =
        builder.accessor<float>({1, 2, 3, nan, 5, std::numeric_limits<float>::infinity()}, "VEC3");
    const scene::Scene scene = valid(load_points(builder, position));
    EXPECT_EQ(scene.meshes[0].positions[1], glm::vec3(0, 5, 0));
    EXPECT_TRUE(warned(scene, "non_finite"));
}

} // namespace
} // namespace vitrine
