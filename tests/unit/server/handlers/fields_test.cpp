// /v1/collections/{id}/fields, /v1/assets/{id}/fields, and filters of lists by custom fields.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::HasSubstr;

class FieldRoutes : public HandlerTest {
protected:
    FieldRoutes() : HandlerTest(false) {}

    Answered send(Method method, const std::string& target, const std::string& body,
                  const Fields& headers = {})
    {
        return ask(method, target, headers, {body}, body.size());
    }
    static std::string text(const boost::json::value& object, const char* member)
    {
        return std::string(object.at(member).as_string());
    }
    std::size_t count(const std::string& query)
    {
        return get("/v1/assets?" + query).json().at("items").as_array().size();
    }
    static std::string pointer(const Answered& answered)
    {
        return std::string(answered.json().at_pointer("/errors/0/pointer").as_string());
    }

    const std::string fish = imported("fish.obj");
    const std::string collection =
        text(send(Method::post, "/v1/collections", R"({"name": "Props"})").json(), "id");
    const std::string fields = "/v1/collections/" + collection + "/fields";
    const std::string values = "/v1/assets/" + fish + "/fields";
};

TEST_F(FieldRoutes, DefineAndChangeFields)
{
    const auto made = send(Method::post, fields, R"({"name": "Mass", "type": "number", "unit": "kg"})");
    ASSERT_EQ(made.status(), 201);
    const auto url = made.header("Location");
    EXPECT_EQ(get(url).header("ETag"), made.header("ETag"));
    EXPECT_EQ(get(url, {{"If-None-Match", made.header("ETag")}}).status(), 304);
    EXPECT_EQ(send(Method::post, fields, R"({"name": "mass", "type": "text"})").code(), "field_exists");
    EXPECT_EQ(pointer(send(Method::post, fields, R"({"name": "a.min", "type": "text"})")), "/name");
    EXPECT_EQ(pointer(send(Method::post, fields, R"({"name": "a", "type": "int"})")), "/type");
    EXPECT_EQ(pointer(send(Method::post, fields, R"({"name": "a", "type": "choice"})")), "/options");
    EXPECT_EQ(pointer(send(Method::post, fields, R"({"name": "a"})")), "/type");
    EXPECT_EQ(text(send(Method::patch, url, R"({"name": "Weight"})").json(), "name"), "Weight");
    EXPECT_EQ(send(Method::patch, url, "{}", {{"If-Match", made.header("ETag")}}).status(), 412);
    EXPECT_EQ(get(fields).json().at("items").as_array().size(), 1u);
    EXPECT_EQ(ask(Method::delete_, url).status(), 204);
    EXPECT_EQ(get(url).code(), "no_field");
}

TEST_F(FieldRoutes, AssetsHaveValues)
{
    send(Method::post, fields, R"({"name": "Mass", "type": "number"})");
    send(Method::post, fields, R"({"name": "Due date", "type": "date"})");
    EXPECT_EQ(send(Method::patch, values, R"({"values": {"Mass": 1}})").code(), "no_field");
    send(Method::post, "/v1/collections/" + collection + "/assets",
         fmt::format(R"({{"assets": ["{}"]}})", fish));
    const auto set = send(Method::patch, values, R"({"values": {"Mass": 2.5, "Due date": "2026-11-28"}})");
    ASSERT_EQ(set.status(), 200);
    EXPECT_EQ(set.json().at_pointer("/items/0/value"), 2.5);
    EXPECT_EQ(get(values).json(), set.json());
    EXPECT_EQ(get("/v1/assets/" + fish).json().at_pointer("/fieldValues/0/value"), 2.5);
    EXPECT_EQ(
        get("/v1/assets?fields=fieldValues").json().at_pointer("/items/0/fieldValues/1/name").as_string(),
        "Due date");
    const auto wrong = send(Method::patch, values, R"({"values": {"Mass": "heavy"}})");
    EXPECT_EQ(wrong.code(), "bad_field_value");
    EXPECT_THAT(text(wrong.json(), "detail"), HasSubstr("'Mass' takes a number, not a text"));
    EXPECT_EQ(pointer(send(Method::patch, values, R"({"values": []})")), "/values");
    EXPECT_EQ(pointer(send(Method::patch, values, "{}")), "/values");
    const auto batch = send(Method::post, "/v1/assets:batch",
                            fmt::format(R"({{"assets": ["{}"], "operations": [{{"op": "setFields", )"
                                        R"("values": {{"Mass": null}}}}]}})",
                                        fish));
    EXPECT_EQ(batch.json().at_pointer("/items/0/status"), 200);
    EXPECT_EQ(get(values).json().at_pointer("/items/0/value"), nullptr);
}

TEST_F(FieldRoutes, ListsFilterByValues)
{
    send(Method::post, fields, R"({"name": "Mass", "type": "number"})");
    send(Method::post, fields, R"({"name": "Due date", "type": "date"})");
    send(Method::post, "/v1/collections/" + collection + "/assets",
         fmt::format(R"({{"assets": ["{}"]}})", fish));
    send(Method::patch, values, R"({"values": {"Mass": 2.5, "Due date": "2026-11-28"}})");
    EXPECT_EQ(count("field.mass=2.5"), 1u);
    EXPECT_EQ(count("field.mass=2.5&field.Due%20date=2026-11-28"), 1u);
    EXPECT_EQ(count("field.Mass.min=2&field.Mass.max=3&collection=" + collection), 1u);
    EXPECT_EQ(count("field.Mass.min=3"), 0u);
    EXPECT_EQ(count("field.Due%20date.max=2026-11-27"), 0u);
    EXPECT_EQ(count("field.Mass="), 0u);
    EXPECT_EQ(pointer(get("/v1/assets?field.Mass.min=much")), "/query/field.Mass.min");
    EXPECT_EQ(pointer(get("/v1/assets?field.=x")), "/query/field.");
    EXPECT_EQ(pointer(get("/v1/assets?field.a=x&field.a=y")), "/query/field.a");
    EXPECT_EQ(send(Method::post, "/v1/searches", R"({"name": "s", "query": "field.Mass.min=2"})").status(),
              201);
}

TEST_F(FieldRoutes, CollectionsHaveAnOrder)
{
    const auto second = text(send(Method::post, "/v1/collections", R"({"name": "Second"})").json(), "id");
    EXPECT_EQ(send(Method::patch, "/v1/collections/" + second, R"({"position": 0})").status(), 200);
    EXPECT_EQ(get("/v1/collections").json().at_pointer("/items/0/name").as_string(), "Second");
    EXPECT_EQ(pointer(send(Method::patch, "/v1/collections/" + second, R"({"position": -1})")), "/position");
    EXPECT_EQ(pointer(send(Method::post, "/v1/collections", R"({"name": "x", "position": 0})")), "/position");
}

} // namespace
} // namespace vitrine::server::testing
