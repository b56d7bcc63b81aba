// Every route of the table with users who have a role for one collection, asked for what is in it and for
// what is only in another one.

#include <gtest/gtest.h>

#include "tests/unit/server/handlers/access/access_matrix.hpp"

namespace vitrine::server::testing {
namespace {

constexpr const char* unknown_id = "unknown";

// What a route with {id} is about, in one collection.
struct Subjects {
    std::string asset, job, note, collection;

    const std::string& of(Granted granted) const
    {
        switch (granted) {
        case Granted::job: return job;
        case Granted::note: return note;
        case Granted::collection:
        case Granted::administration: return collection;
        default: return asset;
        }
    }
};

class GrantsMatrix : public AccessMatrix {
protected:
    Subjects make_subjects(const std::string& name, const std::string& parent = {})
    {
        Subjects made{.asset = imported(name + ".obj"), .job = {}, .note = {}, .collection = {}};
        made.job = services.catalog.find_asset(made.asset).value().job;
        Note note;
        note.asset = made.asset;
        note.version = 1;
        note.author = "test";
        note.text = "a note on " + name;
        made.note = services.notes.create(note).value().id;
        Collection wanted;
        wanted.name = name;
        wanted.parent = parent;
        made.collection = services.collections.create(wanted).value().id;
        EXPECT_TRUE(services.collections.insert_members(made.collection, {.assets = {made.asset}}));
        return made;
    }

    // A user who has signed in.
    Field user_with(const std::string& name, Role role, const std::string& collection = {},
                    Role granted_role = Role::viewer)
    {
        const auto session = make_session(name, role);
        if (!collection.empty())
            EXPECT_TRUE(services.tokens.put_grant(
                {.collection = collection, .user = name, .role = granted_role, .created_by = "test"}));
        return cookie_of(session);
    }

    // "role_required", "token_required", "missing": as what does not exist; or empty for everything that the
    // route itself answers.
    static std::string outcome_of(const Route& route, const Answered& answered, const std::string& id)
    {
        const auto rejection = rejection_of(answered);
        if (!rejection.empty() || answered.status() != 404 || !has_subject(route)) return rejection;
        if (answered.header("Content-Type") != "application/problem+json") return {};
        const auto problem = answered.json();
        const bool names_id = std::string_view(problem.at("detail").as_string()).contains("'" + id + "'");
        return names_id ? "missing" : "";
    }

    static bool has_subject(const Route& route)
    {
        return route.granted != Granted::none && route.granted != Granted::anything &&
               route.granted != Granted::list;
    }

    // All paths of the route, also those of versions.
    static std::vector<std::string> paths_of(const Route& route, const std::string& id)
    {
        std::vector<std::string> paths{path_of(route, id)};
        constexpr std::string_view prefix = "/v1/assets/{id}";
        if (route.method == Method::get && route.pattern.starts_with(prefix))
            paths.push_back("/v1/assets/" + id + "/versions/1" +
                            path_of(route, id).substr(std::string("/v1/assets/").size() + id.size()));
        return paths;
    }

    // Those that end the access of the sender, remove what is asked for, or need more than a path.
    static bool is_asked(const Route& route)
    {
        return route.access != Access::anyone && route.name != "signOut" &&
               route.name != "revokeDeviceToken" && route.name != "createAssets";
    }

    // `role`: for the subjects, none: they are not visible.
    std::string expected(const Route& route, Role own, Role highest_grant, Role role)
    {
        if (may(own, route.access)) return {};
        if (route.granted == Granted::none) return "role_required";
        const auto least = grant_role_for(route.access, route.granted);
        if (least > Role::viewer && highest_grant < least) return "role_required";
        if (!has_subject(route)) return {};
        if (std::max(own, role) < Role::viewer) return "missing";
        return role < least ? "role_required" : "";
    }

    void expect_routes(const std::string& who, const Field& field, Role own, Role highest_grant,
                       const Subjects& subjects, Role role)
    {
        for (const auto& route : all_routes()) {
            if (!is_asked(route)) continue;
            const auto& id = subjects.of(route.granted);
            const auto wanted = expected(route, own, highest_grant, role);
            if (wanted.empty() && route.method == Method::delete_ && has_subject(route)) continue;
            for (const auto& path : paths_of(route, id)) {
                const auto answered = ask(route.method, path, {field}, {}, 0);
                EXPECT_EQ(outcome_of(route, answered, id), wanted)
                    << route.name << " " << path << ", " << who;
                if (wanted == "missing") expect_as_unknown(route, path, id, field, answered);
            }
        }
    }

    // The responses differ by nothing but the id that the request has named.
    void expect_as_unknown(const Route& route, std::string path, const std::string& id, const Field& field,
                           const Answered& hidden)
    {
        path.replace(path.find(id), id.size(), unknown_id);
        auto unknown = ask(route.method, path, {field}, {}, 0);
        auto text = std::string(body_bytes(unknown.response.body).value());
        for (auto at = text.find(unknown_id); at != text.npos; at = text.find(unknown_id, at + id.size()))
            text.replace(at, std::string_view(unknown_id).size(), id);
        EXPECT_EQ(text, body_bytes(hidden.response.body).value()) << route.name;
        EXPECT_EQ(unknown.status(), hidden.status()) << route.name;
        for (const auto& [name, value] : hidden.response.headers)
            EXPECT_EQ(unknown.header(name), value) << route.name << " " << name;
    }
};

TEST_F(GrantsMatrix, OfTheOtherCollectionIsAsDeclared)
{
    const auto mine = make_subjects("mine"), other = make_subjects("other");
    for (const auto role : {Role::viewer, Role::editor, Role::admin}) {
        const auto who = "member_" + std::string(to_word(role));
        const auto field = user_with(who, Role::member, mine.collection, role);
        expect_routes(who + ", own collection", field, Role::member, role, mine, role);
        expect_routes(who + ", other collection", field, Role::member, role, other, Role::none);
    }
}

TEST_F(GrantsMatrix, OfNoGrantIsAsDeclared)
{
    const auto other = make_subjects("other");
    expect_routes("member", user_with("member", Role::member), Role::member, Role::none, other, Role::none);
}

// What the own role has not, a grant adds; what it has, it keeps.
TEST_F(GrantsMatrix, OfViewersAndEditorsIsAsDeclared)
{
    const auto mine = make_subjects("mine"), other = make_subjects("other");
    const auto viewer = user_with("viewer", Role::viewer, mine.collection, Role::editor);
    expect_routes("viewer, own collection", viewer, Role::viewer, Role::editor, mine, Role::editor);
    expect_routes("viewer, other collection", viewer, Role::viewer, Role::editor, other, Role::viewer);
    const auto editor = user_with("editor", Role::editor, mine.collection, Role::viewer);
    expect_routes("editor, own collection", editor, Role::editor, Role::viewer, mine, Role::editor);
}

TEST_F(GrantsMatrix, CollectionsBelowAreGrantedToo)
{
    const auto above = make_subjects("above");
    const auto mine = make_subjects("mine", above.collection);
    const auto below = make_subjects("below", mine.collection);
    const auto field = user_with("member", Role::member, mine.collection, Role::editor);
    expect_routes("below", field, Role::member, Role::editor, below, Role::editor);
    expect_routes("above", field, Role::member, Role::editor, above, Role::none);
}

TEST_F(GrantsMatrix, RemovalsAreForThoseWhoMay)
{
    const auto mine = make_subjects("mine");
    const auto viewer = user_with("viewer", Role::member, mine.collection, Role::viewer);
    const auto editor = user_with("editor", Role::member, mine.collection, Role::editor);
    const auto admin = user_with("admin", Role::member, mine.collection, Role::admin);
    const auto remove = [&](const std::string& path, const Field& field) {
        return ask(Method::delete_, path, {field}, {}, 0).status();
    };
    const auto asset = "/v1/assets/" + mine.asset, collection = "/v1/collections/" + mine.collection;
    EXPECT_EQ(remove("/v1/notes/" + mine.note, viewer), 403);
    EXPECT_EQ(remove("/v1/me/favorites/" + mine.asset, viewer), 204);
    EXPECT_EQ(remove(asset, viewer), 403);
    EXPECT_EQ(remove(asset, editor), 204);
    EXPECT_EQ(ask(Method::post, asset + "/restore", {editor}, {}, 0).status(), 200);
    EXPECT_EQ(remove(collection, editor), 403);
    EXPECT_EQ(remove(collection + "/grants/viewer", admin), 204);
    EXPECT_EQ(get(asset, {viewer}).status(), 404);
    EXPECT_EQ(remove(collection + "/assets?asset=" + mine.asset, editor), 200);
    EXPECT_EQ(get(asset, {editor}).status(), 404);
    EXPECT_EQ(remove(collection, admin), 204);
}

} // namespace
} // namespace vitrine::server::testing
