#pragma once
// Fixture for tests of uploads and imports: services on a scratch folder, with a fake loader and a fake
// device.

#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include "server/services/importing/scene_metadata.hpp"
#include "server/util/process_owner.hpp"
#include "tests/unit/server/services/support/fakes.hpp"

namespace vitrine::server::testing {

using namespace std::chrono_literals;

class ImportTest : public WholeServicesTest {
protected:
    FileRecord part(Services& services, const std::string& name, const std::string& text = {})
    {
        const auto blob = put_blob(*services.blobs, bytes_of(text.empty() ? name : text));
        return {name, blob.hash, blob.size_bytes, blob.pin};
    }

    // Ingest with an `unpack` function of the test.
    template <class Unpack>
    static IngestLoader loader_with(const Unpack& unpack)
    {
        return {unpack, [](const auto& files) { return worker::find_models(files, {}); }, nullptr};
    }

    // Waits until exactly this many blobs are left.
    void await_blobs(std::size_t count)
    {
        test::eventually([&] { return files_under(folder() / "data/blobs") <= count; });
        EXPECT_EQ(files_under(folder() / "data/blobs"), count);
    }

    static std::vector<std::string> file_names(Services& services, const Created& created)
    {
        std::vector<std::string> names;
        for (const auto& file : services.catalog.files(created.asset.id, 1))
            names.push_back(file.name);
        return names;
    }

    // Leaves a job as a process killed during the thumbnail does.
    Created leave_at_thumbnail(Services& services, const std::string& name)
    {
        const auto created = upload(services, name);
        const auto lease = services.catalog.claim_job(process_owner() + "0", 30s).value();
        const auto scene = services.scenes.reload(lease.asset).value();
        EXPECT_TRUE(services.catalog.record_metadata(lease, describe(*scene)));
        EXPECT_TRUE(services.catalog.record_document(lease, AssetDocument::bounds, "{}"));
        services.catalog.heartbeat(lease, JobStage::thumbnail, 0.8, 30s);
        return created;
    }

    // What the subscriber has not taken of all events so far.
    static std::vector<SharedEvent> take_all(Services& services, EventBus::Subscription& place)
    {
        const auto newest = services.catalog.newest_events(1).back().id;
        EXPECT_TRUE(test::eventually([&] { return services.events.last_id() >= newest; }));
        std::vector<SharedEvent> events;
        for (auto taken = place.take().events; !taken.empty(); taken = place.take().events)
            events.insert(events.end(), taken.begin(), taken.end());
        return events;
    }

    std::unique_ptr<Services> make() { return std::make_unique<Services>(config(), registry); }
};

} // namespace vitrine::server::testing
