// Notes on assets: rows, events, and the search.

#include "server/services/notes/note_table.hpp"

#include <gmock/gmock.h>

#include "server/services/organization/collection_table.hpp"
#include "server/services/organization/trash.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class NotesTest : public CatalogTest {
protected:
    Note write(const std::string& asset, const std::string& text, const std::string& author = "user:a")
    {
        Note wanted;
        wanted.asset = asset;
        wanted.text = text;
        wanted.author = author;
        return notes.create(wanted).value();
    }
    std::vector<std::string> texts(const NoteQuery& query)
    {
        std::vector<std::string> found;
        for (const auto& note : notes.list(query).value().items)
            found.push_back(note.text);
        return found;
    }
    std::string newest_event() { return catalog.newest_events(1).at(0).type; }

    NoteTable notes{catalog.connections()};
    const std::string robot = add("robot").id, chair = add("chair").id;
};

TEST_F(NotesTest, AreListedTheNewestFirst)
{
    write(robot, "one");
    EXPECT_EQ(newest_event(), "note.created");
    write(chair, "two", "user:b");
    const auto third = write(robot, "three");
    EXPECT_THAT(texts({}), ElementsAre("three", "two", "one"));
    EXPECT_THAT(texts({.asset = robot}), ElementsAre("three", "one"));
    EXPECT_THAT(texts({.author = "user:b"}), ElementsAre("two"));
    ASSERT_TRUE(notes.change(third.id, {.resolved = true}, {}));
    EXPECT_EQ(newest_event(), "note.updated");
    EXPECT_THAT(texts({.resolved = false}), ElementsAre("two", "one"));
    auto page = notes.list({.limit = 2}).value();
    EXPECT_EQ(page.items.size(), 2u);
    EXPECT_THAT(texts({.limit = 2, .cursor = page.next}), ElementsAre("one"));
    EXPECT_EQ(notes.list({.cursor = "x"}).error().code, "bad_cursor");
    ASSERT_TRUE(catalog.trash_asset(chair));
    EXPECT_THAT(texts({}), ElementsAre("three", "one"));
}

TEST_F(NotesTest, KeepTheirPlace)
{
    Note wanted;
    wanted.asset = robot;
    wanted.text = "line\nbreak";
    wanted.place = NotePlace{"c1", 0.25, SurfacePoint{3, 1, 0, 7, {0.1, 0.2, 0.7}}, "abc"};
    const auto note = notes.find(notes.create(wanted)->id).value();
    EXPECT_EQ(note.text, "line\nbreak");
    ASSERT_TRUE(note.place && note.place->point);
    EXPECT_EQ(*note.place->point, *wanted.place->point);
    EXPECT_EQ(note.place->clip, "c1");
    EXPECT_EQ(note.place->time, 0.25);
    EXPECT_EQ(note.place->topology, "abc");
    EXPECT_FALSE(notes.find(write(robot, "none").id)->place);
}

TEST_F(NotesTest, TextIsChangedByItsAuthor)
{
    const auto note = write(robot, "first");
    EXPECT_EQ(notes.change(note.id, {.text = "mine"}, "user:b").error().code, "note_of_other");
    EXPECT_TRUE(notes.change(note.id, {.resolved = true}, "user:b"));
    EXPECT_EQ(notes.change(note.id, {.text = "x", .if_match = note.etag()}, "user:a").error().kind,
              Errc::precondition_failed);
    EXPECT_EQ(notes.change(note.id, {.text = "second"}, "user:a")->text, "second");
    EXPECT_EQ(notes.change("note_none", {.text = "x"}, {}).error().code, "no_note");
    ASSERT_TRUE(notes.remove(note.id, {}));
    EXPECT_EQ(newest_event(), "note.deleted");
    EXPECT_EQ(notes.find(note.id).error().code, "no_note");
    EXPECT_EQ(notes.remove(note.id, {}).error().code, "no_note");
    EXPECT_EQ(notes.create({.asset = "asset_none", .text = "x"}).error().code, "no_asset");
}

TEST_F(NotesTest, AreFoundByTheSearch)
{
    const auto note = write(robot, "The elbow bends\nbackwards");
    const auto page = catalog.list_assets({.q = "backwards"}).value();
    ASSERT_EQ(page.items.size(), 1u);
    EXPECT_EQ(page.items[0].id, robot);
    EXPECT_EQ(page.matches[0].kind, "note");
    EXPECT_EQ(page.matches[0].text, "The elbow bends backwards");
    EXPECT_THAT(names({.q = "bakcwards"}), ElementsAre("robot")) << "with a typing mistake";
    ASSERT_TRUE(notes.change(note.id, {.text = "fine now"}, {}));
    EXPECT_THAT(names({.q = "backwards"}), IsEmpty());
    EXPECT_THAT(names({.q = "fine"}), ElementsAre("robot"));
    ASSERT_TRUE(notes.remove(note.id, {}));
    EXPECT_THAT(names({.q = "fine"}), IsEmpty());
}

TEST_F(NotesTest, AreNotFoundThroughAShareLink)
{
    write(robot, "robot elbow\nbackwards");
    CollectionTable collections(catalog.connections());
    Collection wanted;
    wanted.name = "shared";
    const auto shared = collections.create(wanted).value().id;
    ASSERT_TRUE(collections.insert_members(shared, {.assets = {robot, chair}}));
    for (const auto sort : {Sort::created, Sort::relevance})
        for (const char* q : {"backwards", "elbow", "bakcwards"})
            EXPECT_THAT(names({.q = q, .within = shared, .sort = sort}), IsEmpty()) << q;
    const auto page = catalog.list_assets({.q = "robot", .within = shared}).value();
    ASSERT_EQ(page.matches.size(), 1u);
    EXPECT_EQ(page.matches[0].kind, "name");
}

TEST_F(NotesTest, StayInTheSearchAfterAnImport)
{
    write(robot, "wobbly");
    const auto lease = catalog.claim_job("me", 10s).value();
    ASSERT_EQ(lease.asset.id, robot);
    Metadata found;
    found.format = "obj";
    found.search.materials = "steel\n";
    ASSERT_TRUE(catalog.record_metadata(lease, found));
    EXPECT_THAT(names({.q = "wobbly"}), ElementsAre("robot"));
    const auto page = catalog.list_assets({.q = "steel"}).value();
    ASSERT_EQ(page.matches.size(), 1u);
    EXPECT_EQ(page.matches[0].kind, "material");
}

TEST(NoteText, IsBounded)
{
    EXPECT_EQ(note_text_fault("a\nb\tc"), "");
    EXPECT_EQ(note_text_fault(std::string(max_note_bytes, 'x')), "");
    for (const auto& text :
         {std::string(), std::string(max_note_bytes + 1, 'x'), std::string("a\x1d"), std::string("\xC0\x80")})
        EXPECT_NE(note_text_fault(text), "");
}

} // namespace
} // namespace vitrine::server::testing
