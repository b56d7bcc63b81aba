#include <boost/json/array.hpp>

#include "server/access/principal.hpp"
#include "server/handlers/access/account_routes.hpp"
#include "server/handlers/access/json_body.hpp"
#include "server/routing/context.hpp"
#include "server/services/services.hpp"

namespace vitrine::server {
namespace {

boost::json::object storage_json(const UserStorage& storage)
{
    return {{"usedBytes", storage.used},
            {"quotaBytes", storage.limit ? boost::json::value(*storage.limit) : boost::json::value()}};
}

} // namespace

HandlerResult get_own_storage(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto user = account_of(request.principal);
    const auto storage = user.empty() ? UserStorage{} : context.services.quota.storage_of(user);
    return json_answer(200, storage_json(storage), "no-store");
}

HandlerResult list_user_storage(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    boost::json::array items;
    for (const auto& [user, storage] : context.services.quota.storage_of_users()) {
        auto shown = storage_json(storage);
        shown["user"] = user;
        items.push_back(std::move(shown));
    }
    return json_answer(200, boost::json::object{{"items", std::move(items)}}, "no-store");
}

} // namespace vitrine::server
