// Which scenes a render process has.
#include <string>

#include <gtest/gtest.h>

#include "server/render_process/shared_objects.hpp"

namespace vitrine::render_process {
namespace {

using Ids = std::vector<ObjectId>;

struct SharedTexts : testing::Test {
    std::vector<std::string> sent;
    SharedObjects<std::string> objects{10, [this](const std::string& text, ObjectId) {
                                           sent.push_back(text);
                                           return text.size();
                                       }};
    static std::shared_ptr<const std::string> make(const std::string& text)
    {
        return std::make_shared<const std::string>(text);
    }
};

TEST_F(SharedTexts, AreSentOnce)
{
    const auto a = make("a"), b = make("b");
    objects.begin_request();
    const auto id = objects.id_of(a);
    EXPECT_NE(id, 0u);
    EXPECT_NE(objects.id_of(b), id);
    objects.begin_request();
    EXPECT_EQ(objects.id_of(a), id);
    EXPECT_EQ(objects.id_of(nullptr), 0u);
    EXPECT_EQ(sent, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(objects.take_unneeded(), Ids{});
}

TEST_F(SharedTexts, AreReleasedWhenTheServerHasThemNoMore)
{
    auto a = make("a");
    const auto b = make("b");
    objects.begin_request();
    const auto id = objects.id_of(a);
    objects.id_of(b);
    a.reset();
    EXPECT_EQ(objects.take_unneeded(), Ids{}) << "the current request needs it";
    objects.begin_request();
    EXPECT_EQ(objects.take_unneeded(), Ids{id});
    EXPECT_EQ(objects.take_unneeded(), Ids{}) << "once";
}

TEST_F(SharedTexts, AreReleasedAboveTheLimitLeastRecentlyUsedFirst)
{
    const auto a = make("aaaa"), b = make("bbbb"), c = make("cccc");
    objects.begin_request();
    objects.id_of(a);
    const auto id_of_b = objects.id_of(b);
    objects.begin_request();
    objects.id_of(a);
    objects.begin_request();
    objects.id_of(c);
    EXPECT_EQ(objects.take_unneeded(), Ids{id_of_b});
    objects.begin_request();
    EXPECT_NE(objects.id_of(b), id_of_b) << "numbers are not used again";
    EXPECT_EQ(sent.size(), 4u);
}

TEST_F(SharedTexts, OfOneRequestMayExceedTheLimit)
{
    const auto large = make(std::string(100, 'x')), other = make(std::string(50, 'y'));
    objects.begin_request();
    const auto first = objects.id_of(large), second = objects.id_of(other);
    EXPECT_EQ(objects.take_unneeded(), Ids{});
    objects.begin_request();
    EXPECT_EQ(objects.id_of(large), first);
    EXPECT_EQ(objects.take_unneeded(), Ids{second});
}

// The address of an object that is gone may be that of the next one.
TEST_F(SharedTexts, AreToldApartByTheirOwner)
{
    std::string storage = "one";
    auto object = std::shared_ptr<const std::string>(&storage, [](const std::string*) {});
    objects.begin_request();
    const auto first = objects.id_of(object);
    storage = "two";
    object = std::shared_ptr<const std::string>(&storage, [](const std::string*) {});
    EXPECT_NE(objects.id_of(object), first);
    EXPECT_EQ(sent, (std::vector<std::string>{"one", "two"}));
}

} // namespace
} // namespace vitrine::render_process
