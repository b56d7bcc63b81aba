// Changes of tokens, share links and keys by requests to this process.

#include <utility>

#include "server/services/access/access_tokens.hpp"

namespace vitrine::server {

Result<CreatedAccessToken> AccessTokens::create(NewAccessToken wanted)
{
    auto made = table_.create(std::move(wanted));
    if (made) reload();
    return made;
}

Result<void> AccessTokens::remove(const std::string& id)
{
    auto removed = table_.remove(id);
    if (removed) reload();
    return removed;
}

Result<CreatedShareLink> AccessTokens::create_link(NewShareLink wanted)
{
    auto made = links_.create(std::move(wanted));
    if (made) reload();
    return made;
}

Result<void> AccessTokens::remove_link(const std::string& id)
{
    auto removed = links_.remove(id);
    if (removed) reload();
    return removed;
}

Result<UserGrant> AccessTokens::put_grant(const NewUserGrant& wanted)
{
    auto made = grants_.put(wanted);
    if (made) reload();
    return made;
}

Result<void> AccessTokens::remove_grant(const std::string& collection, const std::string& user)
{
    auto removed = grants_.remove(collection, user);
    if (removed) reload();
    return removed;
}

Result<GroupGrant> AccessTokens::put_group_grant(const NewGroupGrant& wanted)
{
    auto made = group_grants_.put(wanted);
    if (made) reload();
    return made;
}

Result<void> AccessTokens::remove_group_grant(const std::string& collection, const GroupName& name)
{
    auto removed = group_grants_.remove(collection, name);
    if (removed) reload();
    return removed;
}

UrlKey AccessTokens::signing_key()
{
    auto key = url_keys_.signing_key();
    if (!find_url_key(key.id)) reload();
    return key;
}

void AccessTokens::remove_url_keys()
{
    url_keys_.remove_all();
    reload();
}

std::vector<AccessToken> AccessTokens::list() const
{
    std::vector<AccessToken> tokens;
    for (auto& stored : table_.list())
        tokens.push_back(std::move(stored.token));
    return tokens;
}

} // namespace vitrine::server
