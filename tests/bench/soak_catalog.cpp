// A catalog of many assets: the cost of a listing, a search and the writes of one import with N assets,
// compared with a tenth of them, and a check that a walk over all pages returns each asset once.
//   soak_catalog N FOLDER           creates the catalog in a new folder in FOLDER and deletes it at the end;
//   with
//                                   VITRINE_TEST_DATABASE in that database of PostgreSQL
//                                   (script/with-postgres)
//   soak_catalog fill N FOLDER      creates the catalog of SQLite there, and keeps it
//   soak_catalog library N FOLDER   the same with the blobs, of 2 KB each
//   soak_catalog measure N CATALOG  reads such a catalog, or the database that it was moved to; returns 1 if
//   a
//                                   page or a search takes longer than its limit

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "server/services/catalog/catalog.hpp"
#include "server/util/files.hpp"
#include "server/util/sha256.hpp"
#include "tests/bench/fact_queries.hpp"
#include "tests/support/catalog_place.hpp"

namespace {

using namespace vitrine::server;
using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;
using namespace std::chrono_literals;

constexpr std::size_t batch = 1000;

const std::vector<std::string> things{"robot", "barrel", "imp",   "sword",  "koi",  "castle", "tree",
                                      "wolf",  "crate",  "guard", "dragon", "lamp", "bridge"};

std::string asset_name(std::size_t i)
{
    return fmt::format("{} {} {:07}", things[i % things.size()], things[i / 13 % things.size()], i);
}

std::string blob_content(std::size_t i)
{
    auto content = fmt::format("blob {}\n", i);
    content.resize(2000, 'x');
    return content;
}

NewAsset new_asset(std::size_t i)
{
    const auto name = asset_name(i);
    const auto content = blob_content(i);
    return {name, name + ".glb", {{name + ".glb", sha256_hex(content), content.size()}}};
}

void write_blobs(const std::filesystem::path& data, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i) {
        const auto content = blob_content(i);
        const auto hash = sha256_hex(content);
        const auto folder = data / "blobs" / hash.substr(0, 2) / hash.substr(2, 2);
        std::filesystem::create_directories(folder);
        std::ofstream(folder / hash, std::ios::binary) << content;
    }
}

// Metadata as from describe() for a rig of twenty joints and three clips; one asset in a thousand has a joint
// "tail".
Metadata metadata_of(std::size_t i)
{
    Metadata found;
    found.format = i % 3 == 0 ? "glb" : "md5";
    found.generator = "exporter";
    found.counts.triangles = i * 7919 % 100'000;
    found.counts.joints = 20;
    found.counts.clips = 3;
    std::string joints;
    for (int j = 0; j < 20; ++j) {
        const auto joint = j == 19 && i % 1000 == 0 ? std::string("tail") : fmt::format("joint{:02}", j);
        joints += fmt::format(R"({}{{"name":"{}","parent":{}}})", j == 0 ? "" : ",", joint, j - 1);
        found.search.joints += joint + "\n";
    }
    found.search.clips = "walk\nidle\nattack\n";
    add_facts(found, i);
    found.documents = {
        {AssetDocument::skeleton, fmt::format(R"({{"joints":[{}]}})", joints)},
        {AssetDocument::clips, R"({"items":[{"name":"walk"},{"name":"idle"},{"name":"attack"}]})"}};
    return found;
}

void import_next(Catalog& catalog, std::size_t i)
{
    const auto lease = catalog.claim_job("soak", 60s);
    if (!lease || !catalog.record_metadata(*lease, metadata_of(i)) || !catalog.succeed(*lease))
        throw std::runtime_error("an import's write was rejected");
}

void fill(Catalog& catalog, std::size_t from, std::size_t to)
{
    std::vector<NewAsset> assets;
    for (auto i = from; i < to;) {
        assets.clear();
        for (; i < to && assets.size() < batch; ++i)
            assets.push_back(new_asset(i));
        catalog.create_assets(assets);
        for (auto done = i - assets.size(); done < i; ++done)
            import_next(catalog, done);
    }
}

struct Timing {
    std::string what;
    double median_ms = 0.0;
    double p99_ms = 0.0;
    double limit_ms = 0.0; // of p99; 0: none
};

// Of p99 with 1,000,000 assets.
constexpr double page_limit_ms = 20.0;
constexpr double search_limit_ms = 100.0;

Timing time(const std::string& what, int times, const std::function<void()>& work)
{
    std::vector<double> took;
    for (int i = 0; i < times; ++i) {
        const auto start = Clock::now();
        work();
        took.push_back(Milliseconds(Clock::now() - start).count());
    }
    std::ranges::sort(took);
    return {what, took[took.size() / 2], took[(took.size() - 1) * 99 / 100]};
}

ListQuery sorted_by(Sort sort, std::string cursor = {})
{
    ListQuery query;
    query.sort = sort;
    query.descending = false;
    query.cursor = std::move(cursor);
    return query;
}

// Walks all pages; stores the cursor of the middle. Throws if an asset is missing or returned twice.
std::string walk(const Catalog& catalog, std::size_t count)
{
    std::unordered_set<std::string> met;
    std::string middle;
    auto query = sorted_by(Sort::name);
    query.limit = 500;
    do {
        const auto page = catalog.list_assets(query).value();
        for (const auto& asset : page.items)
            if (!met.insert(asset.id).second) throw std::runtime_error("an asset was met twice");
        query.cursor = page.next;
        if (met.size() <= count / 2) middle = page.next;
    } while (!query.cursor.empty());
    if (met.size() != count)
        throw std::runtime_error(fmt::format("{} of {} assets were met", met.size(), count));
    return middle;
}

std::vector<Timing> measure(Catalog& catalog, std::size_t count)
{
    std::vector<Timing> all;
    std::string middle;
    const auto listing = [&](const std::string& what, ListQuery query, int times = 201,
                             double limit_ms = 0.0) {
        all.push_back(time(what, times, [&] { (void)catalog.list_assets(query).value(); }));
        all.back().limit_ms = limit_ms;
    };
    const auto page = [&](const std::string& what, ListQuery query) {
        listing(what, std::move(query), 201, page_limit_ms);
    };
    const auto search = [&](const std::string& what, ListQuery query) {
        listing(what, std::move(query), 201, search_limit_ms);
    };
    all.push_back(time("walk over all, pages of 500", 1, [&] { middle = walk(catalog, count); }));
    page("first page, newest first", {});
    page("a page in the middle, by name", sorted_by(Sort::name, middle));
    page("first page, by triangles", sorted_by(Sort::triangles));
    page("one format, by name", {.format = "md5", .sort = Sort::name});
    page("triangles 500 to 600", {.triangles_min = 500, .triangles_max = 600});
    search("a rare name", {.q = fmt::format("{:07}", count / 2)});
    search("a word of one asset in seven", {.q = "dragon"});
    search("two words", {.q = "dragon lamp"});
    listing("two letters of half of all", {.q = "ro"});
    listing("two letters of none", {.q = "zq"}, 3);
    search("a joint of one in a thousand", {.joint = "tail"});
    search("a clip of all", {.clip = "walk"});
    measure_facts(listing, page_limit_ms);
    const auto some = catalog.list_assets({}).value().items.front().id;
    all.push_back(time("one asset", 51, [&] { (void)catalog.find_asset(some).value(); }));
    listing("a page at the middle position, by name",
            {.sort = Sort::name, .descending = false, .offset = count / 2});
    listing("a page at an asset, newest first", {.at = some});
    listing("a page at the middle of one format", {.format = "md5", .offset = count / 4});
    listing("the number of one format", {.format = "md5", .limit = 1, .count_all = true});
    listing("the number of a word of one in seven", {.q = "dragon", .limit = 1, .count_all = true}, 11);
    all.push_back(time("number of all", 5, [&] { (void)catalog.asset_count(); }));
    return all;
}

void run(std::size_t count, const std::filesystem::path& parent)
{
    const TemporaryFolder folder(parent);
    const testing::CatalogPlace place(folder.path());
    Catalog catalog(place.location);
    const auto tenth = std::max<std::size_t>(count / 10, 1);
    const auto start = Clock::now();
    fill(catalog, 0, tenth);
    const auto early = measure(catalog, tenth);
    const auto early_writes = time("writes of one import", 51, [&, i = tenth]() mutable {
        fill(catalog, i, i + 1);
        ++i;
    });
    fill(catalog, tenth + 51, count);
    fmt::print("{} assets written in {:.0f} s\n", count, Milliseconds(Clock::now() - start).count() / 1000.0);
    fmt::print("{:42} {:>11} {:>11} {:>11}\n", "median, ms, at", tenth, count, "p99");
    const auto print = [](const Timing& then, const Timing& now) {
        fmt::print("{:42} {:11.3f} {:11.3f} {:11.3f}\n", now.what, then.median_ms, now.median_ms, now.p99_ms);
    };
    const auto late = measure(catalog, count);
    for (std::size_t i = 0; i < late.size(); ++i)
        print(early[i], late[i]);
    print(early_writes, time("writes of one import", 51, [&, i = count]() mutable {
              fill(catalog, i, i + 1);
              ++i;
          }));
}

void fill_folder(std::size_t count, const std::filesystem::path& data)
{
    const auto start = Clock::now();
    std::filesystem::create_directories(data);
    Catalog catalog(data / "catalog.sqlite");
    fill(catalog, 0, count);
    fmt::print("{} assets written in {:.0f} s\n", count, Milliseconds(Clock::now() - start).count() / 1000.0);
}

// Returns whether every limit held.
bool measure_at(std::size_t count, const std::string& location)
{
    Catalog catalog(location);
    bool held = true;
    fmt::print("{:42} {:>11} {:>11} {:>6}\n", "ms", "median", "p99", "limit");
    for (const auto& timing : measure(catalog, count)) {
        const bool is_limited = timing.limit_ms > 0.0;
        const bool is_over = is_limited && timing.p99_ms > timing.limit_ms;
        held = held && !is_over;
        fmt::print("{:42} {:11.3f} {:11.3f} {:>6}{}\n", timing.what, timing.median_ms, timing.p99_ms,
                   is_limited ? fmt::format("{:.0f}", timing.limit_ms) : "", is_over ? " exceeded" : "");
    }
    return held;
}

} // namespace

int main(int argc, char** argv)
{
    const std::string mode = argc == 4 ? argv[1] : "";
    const auto count = argc >= 3 ? std::strtoull(argv[argc - 2], nullptr, 10) : 0;
    if (count < 100 || argc > 4 || (argc == 4 && mode != "fill" && mode != "library" && mode != "measure")) {
        fmt::print(stderr, "usage: soak_catalog [fill | library | measure] N PLACE, N at least 100\n");
        return 2;
    }
    try {
        if (mode == "library") write_blobs(argv[3], count);
        if (mode == "fill" || mode == "library")
            fill_folder(count, argv[3]);
        else if (mode == "measure")
            return measure_at(count, argv[3]) ? 0 : 1;
        else
            run(count, argv[2]);
    } catch (const std::exception& error) {
        fmt::print(stderr, "soak_catalog: {}\n", error.what());
        return 1;
    }
    return 0;
}
