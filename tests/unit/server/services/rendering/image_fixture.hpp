#pragma once
// The image service over a simulated device.

#include "tests/unit/server/services/support/fakes.hpp"

namespace vitrine::server::testing {

class ImageServiceTest : public WholeServicesTest {
protected:
    AssetRecord imported(const std::string& name)
    {
        const auto created = upload(services, name);
        services.start();
        EXPECT_EQ(wait_for(services, created.job.id).state, JobState::succeeded);
        services.importer.stop(std::chrono::seconds(5));
        gpu.renders = gpu.frames = gpu.asked = 0;
        return services.catalog.find_asset(created.asset.id).value();
    }

    // Requests a frame as a live view does.
    void look_on()
    {
        auto looked =
            services.renders.submit(RenderPriority::interactive, [](RenderDevice&) { return true; });
        ASSERT_TRUE(looked);
        EXPECT_TRUE(looked->get());
    }

    Services services{config(), registry};
};

} // namespace vitrine::server::testing
