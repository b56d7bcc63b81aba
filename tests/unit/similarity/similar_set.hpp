#pragma once
// Compares every two signatures of a set as a query of a library does: by buckets first.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "loaders/scene/similarity/similarity.hpp"

namespace vitrine::test {

struct SignedShape {
    std::string group; // shapes of one group are alike
    std::string name;
    scene::SurfaceSignature signature;
};

struct SetResult {
    std::size_t found = 0, wanted = 0, confused = 0; // pairs
    std::vector<std::string> missed, wrong;
    std::size_t most_candidates = 0; // of one query

    double recall() const { return static_cast<double>(found) / static_cast<double>(wanted); }
    double precision() const { return static_cast<double>(found) / static_cast<double>(found + confused); }
};

// Every shape is asked for. `is_alike`: whether shapes of different groups are alike all the same.
template <class IsAlike>
SetResult query_all(const std::vector<SignedShape>& shapes, const IsAlike& is_alike)
{
    std::multimap<std::int64_t, const SignedShape*> index;
    for (const auto& shape : shapes)
        index.emplace(scene::bucket_of(shape.signature), &shape);
    SetResult result;
    for (const auto& asked : shapes) {
        std::vector<const SignedShape*> hits;
        std::size_t candidates = 0;
        for (const auto bucket : scene::buckets_near(asked.signature))
            for (auto [at, end] = index.equal_range(bucket); at != end; ++at, ++candidates)
                if (at->second != &asked && scene::compare(asked.signature, at->second->signature))
                    hits.push_back(at->second);
        result.most_candidates = std::max(result.most_candidates, candidates);
        for (const auto& other : shapes) {
            if (&other == &asked) continue;
            const bool hit = std::ranges::find(hits, &other) != hits.end();
            const bool same = other.group == asked.group;
            result.wanted += same;
            result.found += same && hit;
            if (same && !hit) result.missed.push_back(asked.name + " - " + other.name);
            if (hit && !same && !is_alike(asked, other)) {
                ++result.confused;
                result.wrong.push_back(asked.name + " - " + other.name);
            }
        }
    }
    return result;
}

} // namespace vitrine::test
