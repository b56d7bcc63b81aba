#pragma once
// An API process and two workers on the stores of SharedStoresTest.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <soci/soci.h>

#include "server/services/database/dialect.hpp"
#include "tests/integration/http_support.hpp"
#include "tests/integration/s3/object_store.hpp"

namespace vitrine::test {

class Roles : public SharedStoresTest {
protected:
    void SetUp() override
    {
        SharedStoresTest::SetUp();
        if (IsSkipped()) return;
        api.emplace(folder.path() / "api", flags("api"));
        workers[0].emplace(folder.path() / "w0", flags("worker"));
        workers[1].emplace(folder.path() / "w1", flags("worker"));
        ASSERT_NE(api->port(), 0);
        ASSERT_NE(workers[0]->port(), 0);
        ASSERT_NE(workers[1]->port(), 0);
        ASSERT_TRUE(eventually([&] { return live_workers() == 2; })) << "they have devices";
    }

    std::vector<std::string> flags(const std::string& role) const
    {
        auto all = store->flags(folder.path().filename());
        all.insert(all.end(), {"--database", catalog, "--role", role, "--derived", derived});
        return all;
    }

    // Those that have a device.
    std::size_t live_workers() const
    {
        std::size_t live = 0;
        for (const auto& worker : get(api->port(), "/v1/workers").json().at("items").as_array())
            if (worker.at("alive").as_bool() && worker.at("capacity").at("draws").as_int64() > 0) ++live;
        return live;
    }

    // Number of requests of the last seconds that match a condition of SQL.
    long long count_requests(const std::string& condition) const
    {
        const auto dialect = server::make_dialect(catalog);
        const auto sql = dialect->connect(false);
        long long rows = 0;
        *sql << "SELECT COUNT(*) FROM render_requests WHERE " + condition, soci::into(rows);
        return rows;
    }
    // Those that were handed over outside the database.
    long long handed_over_as_files() const
    {
        return count_requests("state = 'done' AND status = 200 AND body = ''");
    }

    // The worker that draws now; empty: none.
    std::optional<ServerProcess>* find_drawing_worker()
    {
        const auto dialect = server::make_dialect(catalog);
        const auto sql = dialect->connect(false);
        std::string name;
        *sql << "SELECT w.name FROM render_requests r JOIN workers w ON w.id = r.worker WHERE r.state = "
                "'running'",
            soci::into(name);
        for (auto& worker : workers)
            if (worker && name.ends_with(":" + std::to_string(worker->pid()))) return &worker;
        return nullptr;
    }

    std::string derived = "auto"; // images are handed over in the object store
    std::optional<ServerProcess> api, workers[2];
};

} // namespace vitrine::test
