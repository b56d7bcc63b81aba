#pragma once
// A user without a role for the library who is an editor of one of two collections.

#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/unit/server/handlers/access/access_matrix.hpp"

namespace vitrine::server::testing {

class Grants : public AccessMatrix {
protected:
    explicit Grants(const std::function<void(ServicesConfig&)>& adjust = {}) : AccessMatrix(adjust)
    {
        mine = make_collection("mine");
        hidden = make_collection("hidden");
        EXPECT_TRUE(services.collections.insert_members(mine, {.assets = {walker}}));
        EXPECT_TRUE(services.collections.insert_members(hidden, {.assets = {secret}}));
        give(mine, Role::editor);
    }

    std::string make_collection(const std::string& name, const std::string& parent = {})
    {
        Collection wanted;
        wanted.name = name;
        wanted.parent = parent;
        return services.collections.create(wanted).value().id;
    }
    void give(const std::string& collection, Role role)
    {
        EXPECT_TRUE(services.tokens.put_grant(
            {.collection = collection, .user = "maya", .role = role, .created_by = "test"}));
    }
    std::string text_of(const std::string& target)
    {
        const auto answered = get(target, {maya});
        EXPECT_EQ(answered.status(), 200) << target;
        return std::string(body_bytes(answered.response.body).value_or(""));
    }
    Answered send(Method method, const std::string& target, const std::string& body, Fields fields)
    {
        return ask(method, target, fields, {body}, body.size());
    }
    Answered send(Method method, const std::string& target, const std::string& body)
    {
        return send(method, target, body, {maya, {"Content-Type", "application/json"}});
    }
    Answered upload_as(const Field& who, const std::string& query, const std::string& name,
                       const Fields& more = {})
    {
        const auto body = "content of " + name; // as that of imported()
        Fields fields{who, {"Content-Type", "application/octet-stream"}};
        fields.insert(fields.end(), more.begin(), more.end());
        return send(Method::post, "/v1/assets?name=" + name + query, body, fields);
    }
    void set_tags(const std::string& asset, std::vector<std::string> tags)
    {
        AssetChange change;
        change.tags = std::move(tags);
        EXPECT_TRUE(services.catalog.change_asset(asset, change));
    }
    void rename(const std::string& asset, const std::string& name)
    {
        AssetChange change;
        change.name = name;
        EXPECT_TRUE(services.catalog.change_asset(asset, change));
    }
    std::vector<std::string> ids_of(const std::string& target)
    {
        std::vector<std::string> ids;
        for (const auto& item : get(target, {maya}).json().at("items").as_array())
            ids.emplace_back(item.at("id").as_string());
        return ids;
    }

    const std::string walker = imported("walker.obj"), secret = imported("secret.obj");
    const CreatedSession session = make_session("maya", Role::member);
    const Field maya = cookie_of(session), admin = bearer(server_token);
    std::string mine, hidden; // collections
};

} // namespace vitrine::server::testing
