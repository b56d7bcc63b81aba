#pragma once
// Fakes of the device and the loader, the two interfaces of the services to the outside, and a complete set
// of services with them.

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "server/services/services.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/server/services/support/fixture.hpp"
#include "tests/unit/server/services/support/migrated_catalog.hpp"

namespace vitrine::server::testing {

// State of all fake devices, observed and controlled by tests.
struct FakeGpu {
    std::atomic<int> devices = 0;
    std::atomic<int> renders = 0;
    std::atomic<int> frames = 0;
    std::atomic<int> asked = 0;           // calls, including those that wait at the gate
    std::atomic<int> lose = 0;            // number of further calls that lose the device
    std::atomic<int> fail = 0;            // number of further calls that fail
    std::atomic<bool> undrawable = false; // every call fails
    std::atomic<bool> too_large = false;
    std::atomic<std::uint32_t> poison = 0;    // an image of this width loses the device
    std::atomic<std::size_t> most = SIZE_MAX; // larger batches lose the device
    std::atomic<std::uint32_t> rejected = 0;  // an image of this width cannot be rendered
    std::atomic<int> frame_ms = 0;            // expected time of a frame; 0: unknown
    std::atomic<bool> absent = false;
    std::atomic<bool> stillborn = false;
    std::mutex gate; // held by a test: rendering waits
};

class FakeDevice final : public RenderDevice {
public:
    FakeDevice(FakeGpu& gpu, const std::string& name) : gpu_(gpu)
    {
        info_.name = name;
        if (gpu.absent) throw std::runtime_error("no driver");
        if (gpu.stillborn) throw render::DeviceLost("gone while it was made");
        ++gpu.devices;
    }
    const render::DeviceInfo& info() const override { return info_; }
    render::MemoryUse memory() const override { return {300, 700}; }
    using RenderDevice::render;
    std::optional<std::chrono::nanoseconds> expected_time(const render::SharedScene&,
                                                          const render::View&) const override
    {
        if (gpu_.frame_ms == 0) return std::nullopt;
        return std::chrono::milliseconds(gpu_.frame_ms);
    }

    void render(const render::SharedScene&, const render::View& view,
                std::span<const render::ClipTime> clip_times, std::vector<render::Frame>& frames) override
    {
        answer();
        ++gpu_.renders;
        gpu_.frames += static_cast<int>(clip_times.size());
        frames.clear();
        for (const auto& clip_time : clip_times)
            frames.push_back(gray(view, clip_time));
    }

    void render(std::span<const render::FrameRequest> frame_requests,
                std::vector<render::Frame>& frames) override
    {
        answer();
        for (const auto& frame_request : frame_requests) {
            if (frame_request.view.width == gpu_.poison) throw render::DeviceLost("by this picture");
            if (frame_requests.size() > gpu_.most) throw render::DeviceLost("by so many");
            if (frame_request.view.width == gpu_.rejected) throw render::RenderError("this picture");
        }
        ++gpu_.renders;
        gpu_.frames += static_cast<int>(frame_requests.size());
        frames.clear();
        for (const auto& frame_request : frame_requests)
            frames.push_back(gray(frame_request.view, frame_request.clip_time));
    }

    std::vector<scene::Aabb> bounds(const render::SharedScene& scene,
                                    std::span<const render::ClipTime> clip_times) override
    {
        answer();
        std::vector<scene::Aabb> boxes;
        scene::Pose pose;
        for (const auto& clip_time : clip_times) {
            scene::sample_pose(*scene, clip_time.clip, clip_time.time, pose);
            boxes.push_back(scene::pose_bounds(*scene, pose));
        }
        return boxes;
    }

    // Returns the last triangle of the first node, at the pixel.
    std::optional<scene::Hit> pick(const render::SharedScene&, const render::View&, render::ClipTime,
                                   std::uint32_t x, std::uint32_t y) override
    {
        answer();
        if (x == 0 && y == 0) return std::nullopt;
        return scene::Hit{.node = 0, .mesh = 0, .triangle = x, .distance = static_cast<float>(y)};
    }

private:
    static render::Frame gray(const render::View& view, const render::ClipTime& clip_time)
    {
        render::Frame frame;
        frame.width = view.width;
        frame.height = view.height;
        const auto level = static_cast<std::uint8_t>(40 + static_cast<int>(100 * clip_time.time) % 200);
        frame.pixels.own().assign(std::size_t{4} * view.width * view.height, level);
        return frame;
    }

    void answer()
    {
        ++gpu_.asked;
        const std::lock_guard waiting(gpu_.gate);
        if (gpu_.lose > 0 && gpu_.lose-- > 0) throw render::DeviceLost("gone");
        if (gpu_.fail > 0 && gpu_.fail-- > 0) throw render::RenderError("too large");
        if (gpu_.too_large) throw render::TooLargeForDevice("it takes 9 MiB, there are 8");
        if (gpu_.undrawable) throw render::Undrawable("beyond all numbers");
    }

    FakeGpu& gpu_;
    render::DeviceInfo info_{"fake", "1", "1.3", true};
};

inline MakeRenderDevice make_fake_device(FakeGpu& gpu, const std::string& name = "fake")
{
    return [&gpu, name] { return std::make_unique<FakeDevice>(gpu, name); };
}

// Selects the scene by the main file's name: "bar" the skinned bar, "cube" the cube, "void" an empty scene,
// "flat" one without visible geometry, "rig" two joints without a mesh, "bad" an error.
struct FakeLoader {
    std::atomic<int> loads = 0;
    std::mutex gate;                // held by a test: loading waits
    scene::Attribution attribution; // of the bar, the cube and "flat"

    LoadResult<scene::Scene> load(const std::string& main_name)
    {
        ++loads;
        const std::lock_guard waiting(gate);
        if (main_name.find("bad") != main_name.npos) return fail(LoadErrc::truncated, "byte 9", "ends early");
        if (main_name.find("void") != main_name.npos) {
            scene::Scene hollow;
            hollow.format = "obj";
            hollow.warnings.push_back({"nothing_to_show", "nothing to draw", ""});
            return hollow;
        }
        if (main_name.find("rig") != main_name.npos) return rig();
        const bool flat = main_name.find("flat") != main_name.npos;
        auto scene = main_name.find("cube") != main_name.npos ? test::textured_cube() : test::skinned_bar();
        scene.format = "obj";
        scene.attribution = attribution;
        if (flat) scene.warnings.push_back({"nothing_to_show", "no area", ""});
        return scene;
    }

    static scene::Scene rig()
    {
        scene::Scene rig;
        rig.format = "fbx";
        rig.nodes.resize(2);
        rig.nodes[0].name = "hips";
        rig.nodes[1].name = "head";
        rig.nodes[1].parent = 0;
        rig.nodes[1].local.translation = {0.0f, 1.0f, 0.0f};
        rig.warnings.push_back({"skeleton_shown", "bones", ""});
        return rig;
    }
};

class WholeServicesTest : public ServicesTest {
protected:
    ServicesConfig config()
    {
        ServicesConfig made;
        made.data = folder() / "data";
        with_tables(made.data / catalog_file);
        made.devices = {make_fake_device(gpu)};
        made.load_scene = [this](const auto&, const std::string& main_name, const auto&) {
            return loader.load(main_name);
        };
        made.password_cost = {.log_n = 4, .r = 1, .p = 1};
        made.importer.back_off = std::chrono::milliseconds(1);
        made.importer.poll = std::chrono::milliseconds(20);
        return made;
    }

    // Uploads one file.
    Created upload(Services& services, const std::string& name)
    {
        const auto blob = put_blob(*services.blobs, bytes_of("content of " + name));
        return services.ingest.ingest({{name, blob.hash, blob.size_bytes}}).value().front();
    }

    // Returns the job after it has ended.
    static JobRecord wait_for(Services& services, const std::string& job)
    {
        JobRecord found;
        EXPECT_TRUE(test::eventually([&] {
            found = services.catalog.find_job(job).value();
            return found.finished != 0;
        })) << "the job does not end";
        return found;
    }

    FakeGpu gpu;
    FakeLoader loader;
    prometheus::Registry registry;
};

} // namespace vitrine::server::testing
