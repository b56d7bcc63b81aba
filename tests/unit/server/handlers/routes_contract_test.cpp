// The route table and api/openapi.yaml are equal, checked in both directions.

#include <algorithm>
#include <iterator>
#include <set>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "api/openapi.hpp"
#include "loaders/base/ascii.hpp"
#include "server/handlers/routes.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

// "{path...}" of the table is "{path}" in the contract.
std::string plain(std::string_view pattern)
{
    std::string text(pattern);
    if (auto dots = text.find("..."); dots != text.npos) text.erase(dots, 3);
    return text;
}

std::set<std::string> table()
{
    std::set<std::string> rows;
    for (const auto& route : all_routes()) {
        rows.insert(ascii::lower(to_string(route.method)) + " " + plain(route.pattern) + " " +
                    std::string(route.name));
    }
    return rows;
}

std::set<std::string> contract()
{
    std::set<std::string> rows;
    auto document = json::parse(api::openapi_json());
    for (const auto& [path, operations] : document.at("paths").as_object()) {
        for (const auto& [method, operation] : operations.as_object()) {
            if (method == "parameters") continue;
            rows.insert(std::string(method) + " " + std::string(path) + " " +
                        std::string(operation.at("operationId").as_string()));
        }
    }
    return rows;
}

std::set<std::string> missing_in(const std::set<std::string>& wanted, const std::set<std::string>& found)
{
    std::set<std::string> missing;
    std::ranges::set_difference(wanted, found, std::inserter(missing, missing.end()));
    return missing;
}

} // namespace

TEST(Contract, MatchesTheRouteTable)
{
    const std::set<std::string> nothing;
    EXPECT_GT(table().size(), 30u);
    EXPECT_EQ(missing_in(table(), contract()), nothing) << "add the operation to api/openapi.yaml";
    EXPECT_EQ(missing_in(contract(), table()), nothing) << "add the row to server/handlers/routes.cpp";
}

TEST(Contract, EveryRouteHasOneHandler)
{
    for (const auto& route : all_routes()) {
        EXPECT_NE(route.blocking == nullptr, route.async == nullptr) << route.pattern;
    }
}

} // namespace vitrine::server
