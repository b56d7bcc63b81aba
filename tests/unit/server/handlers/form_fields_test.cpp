// Forms with fields that are no files.

#include <gtest/gtest.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

class FormFields : public HandlerTest {
protected:
    static std::string part(const std::string& disposition, const std::string& content)
    {
        return "--B\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n" + content + "\r\n";
    }
};

TEST_F(FormFields, FieldAfterAFileIsNoFile)
{
    const auto body = part(R"(name="file"; filename="bar.obj")", "the model") +
                      part(R"(name="note")", "not stored") + "--B--\r\n";
    const auto created =
        ask(Method::post, "/v1/assets", {{"Content-Type", "multipart/form-data; boundary=B"}}, {body});
    ASSERT_EQ(created.status(), 201);
    const auto assets = services.catalog.list_assets({}).value().items;
    ASSERT_EQ(assets.size(), 1u);
    const auto files = services.catalog.files(assets.front().id, 1);
    ASSERT_EQ(files.size(), 1u);
    EXPECT_EQ(files.front().name, "bar.obj");
    EXPECT_EQ(files.front().size_bytes, 9u);
}

} // namespace
} // namespace vitrine::server::testing
