// The order in which workers are asked for a preview.

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "server/link/link_pool.hpp"

namespace vitrine::server::testing {
namespace {

TEST(LinkTargets, AreInTheOrderOfTheHashAndThoseThatAreFullLast)
{
    std::vector<api::Worker> workers;
    for (const char* id : {"a", "b", "c", "d", "e"})
        workers.push_back({.id = id, .address = std::string("http://") + id, .viewer_slots = 4});
    const auto ids = [&](std::string_view hash) {
        std::string all;
        for (const auto& target : order_targets(hash, workers)) {
            EXPECT_EQ(target.address, "http://" + target.worker);
            all += target.worker;
        }
        return all;
    };
    const auto order = ids("hash");
    EXPECT_EQ(order.size(), 5u);
    std::set<char> first;
    for (int i = 0; i < 40; ++i)
        first.insert(ids("hash " + std::to_string(i)).at(0));
    EXPECT_GT(first.size(), 2u) << "models are on several workers";
    const auto find = [&](char id) {
        return std::ranges::find(workers, std::string(1, id), &api::Worker::id);
    };
    find(order[0])->load.viewers = 4;
    EXPECT_EQ(ids("hash"), order.substr(1) + order[0]);
    find(order[1])->viewer_slots = 0; // no device at the last heartbeat
    find(order[2])->address.clear();
    EXPECT_EQ(ids("hash"), order.substr(3) + order.substr(0, 2));
}

} // namespace
} // namespace vitrine::server::testing
