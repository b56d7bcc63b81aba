#pragma once

// A viewer of a preview session without a socket: sends messages and receives frames.

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "server/preview/preview_session.hpp"

namespace vitrine::server {

class Viewer {
public:
    explicit Viewer(PreviewLimits limits = {}) : session(info(), limits, now) {}

    static api::PreviewInfo info()
    {
        return {.asset = "as_1",
                .device = "test",
                .software = true,
                .clips = {{"walk", 2.0, 30.0}, {"idle", 0.0, 0.0}},
                .variants = {"day", "night"},
                .frames = 10,
                .bounds = {glm::vec3(-1.0f), glm::vec3(1.0f)},
                .yaw = 120.0f,
                .pitch = 15.0f,
                .front_yaw = -90.0f};
    }
    void say(std::string_view text) { EXPECT_TRUE(session.receive(text, now)); }
    std::optional<RenderTask> draw() { return session.next_render(now); }
    // Renders, encodes and sends the frame; `framing`: the framing message sent before it.
    std::vector<std::byte> finish(const RenderTask& task, std::uint32_t render_us = 1000,
                                  const render::Framing& framing = {})
    {
        auto header = encode(task, render_us, framing);
        session.sending();
        return header;
    }
    // Renders and encodes the frame, which then waits for the socket.
    std::vector<std::byte> encode(const RenderTask& task, std::uint32_t render_us = 1000,
                                  const render::Framing& framing = {})
    {
        session.rendered(task);
        return session.encoded(task,
                               {.width = task.view.width,
                                .height = task.view.height,
                                .bounds = {},
                                .framing = framing,
                                .render_us = render_us,
                                .encode_us = 500,
                                .payload_bytes = 100},
                               now);
    }
    // Renders, encodes, sends and acknowledges the frame.
    void show(const RenderTask& task)
    {
        finish(task);
        say(R"({"type":"ack","sequence":)" + std::to_string(++shown) + "}");
    }
    void wait(std::chrono::milliseconds time) { now += time; }
    std::vector<std::string> types()
    {
        std::vector<std::string> list;
        for (const auto& text : session.take_texts()) {
            list.emplace_back(boost::json::parse(text).at("type").as_string());
        }
        return list;
    }
    std::string problem()
    {
        for (const auto& text : session.take_texts()) {
            auto value = boost::json::parse(text);
            if (value.at("type") == "problem") return std::string(value.at("code").as_string());
        }
        return "";
    }

    PreviewTime now{std::chrono::hours(1)};
    PreviewSession session;
    int shown = 0;
};

// Types of messages.
using Types = std::vector<std::string>;

// A session whose layers are one per text; the text "unknown" is rejected.
class LayersViewer : public Viewer {
public:
    LayersViewer()
    {
        session.set_make_layers(
            [this](const api::PreviewMotion& base,
                   const scene::AnimationTexts& texts) -> std::expected<MadeLayers, std::string> {
                scene::AnimationLayers layers;
                if (base.clip != scene::none) layers.layers.push_back({.clip = base.clip});
                if (missing.contains(base.text)) return std::unexpected("clip: there is no such clip");
                if (!base.text.empty()) layers.layers.push_back({.clip = 0});
                layers.key = base.text;
                for (const auto& text : texts.layers) {
                    if (text == "unknown" || missing.contains(text))
                        return std::unexpected("layer: there is no clip 'unknown'");
                    layers.layers.push_back({.clip = 0});
                    layers.key += text;
                }
                for (const auto& text : texts.turns) {
                    layers.adjustments.push_back({.node = 1});
                    layers.key += text;
                }
                return MadeLayers{std::make_shared<const scene::AnimationLayers>(std::move(layers)), 2.0};
            });
        session.set_hold_pose([this](const render::ClipTime& shown) {
            held.push_back(shown);
            scene::HeldPose pose{.rest = std::make_shared<const scene::Clip>()};
            if (!shown.layers && shown.clip != scene::none)
                pose.playing = scene::PoseLayer{.clip = shown.clip};
            return std::optional(pose);
        });
    }
    RenderTask next()
    {
        auto task = draw();
        EXPECT_TRUE(task);
        if (task) show(*task);
        return task.value_or(RenderTask{});
    }
    std::vector<render::ClipTime> held; // the poses that fades have left
    std::set<std::string> missing;      // clips of other assets that are not loaded
};

} // namespace vitrine::server
