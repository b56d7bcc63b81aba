#include "loaders/gltf/animation/channels.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "loaders/gltf/document/accessor.hpp"
#include "loaders/gltf/document/fields.hpp"
#include "loaders/gltf/document/key_repair.hpp"

namespace vitrine::gltf {
namespace {

void warn(Document& document, std::string message, io::JsonValue where)
{
    document.warnings().add("invalid_channel", std::move(message), where.pointer());
}

std::optional<scene::Interpolation> to_interpolation(io::JsonValue value)
{
    const std::string_view name = value.exists() ? value.string().value_or("") : "LINEAR";
    if (name == "LINEAR") return scene::Interpolation::linear;
    if (name == "STEP") return scene::Interpolation::step;
    if (name == "CUBICSPLINE") return scene::Interpolation::cubic;
    return std::nullopt;
}

// Limits the keys to those with both times and values, sorted and finite.
void fit_keys(Document& document, scene::Channel& channel, std::size_t size, io::JsonValue sampler)
{
    const std::size_t keys = std::min(channel.times.size(), channel.values.size() / size);
    if (keys != channel.times.size() || keys * size != channel.values.size())
        warn(document,
             fmt::format("{} times but {} values of {} numbers; {} keys are used", channel.times.size(),
                         channel.values.size() / size, size, keys),
             sampler);
    channel.times.resize(keys);
    channel.values.resize(keys * size);
    const KeyRepair repair = repair_keys(channel, size);
    if (repair.not_finite)
        document.warnings().add("invalid_keys", "keys are not finite; they are removed", sampler.pointer());
    if (repair.unsorted)
        document.warnings().add("invalid_keys", "key times do not ascend; they are sorted",
                                sampler.pointer());
    if (repair.duplicates)
        document.warnings().add("invalid_keys", "several keys at one time: the first and the last are used",
                                sampler.pointer());
    if (channel.path == scene::Path::rotation && channel.interpolation != scene::Interpolation::cubic)
        if (const auto deviating = normalize_rotations(channel); deviating > 0)
            document.warnings().add(
                "unnormalized_rotations",
                fmt::format("{} rotation keys do not have unit length; they are normalized", deviating),
                sampler.pointer());
    if (channel.times.empty()) return warn(document, "the channel has no keys; it is ignored", sampler);
    if (channel.times.front() < 0.0f)
        document.warnings().add("invalid_keys", "keys have negative times", sampler.pointer());
    if (channel.interpolation == scene::Interpolation::cubic && channel.times.size() < 2)
        document.warnings().add("invalid_keys", "a cubic curve needs two keys and has one",
                                sampler.pointer());
}

} // namespace

LoadResult<scene::Channel> read_channel(Document& document, TargetFinder& targets, io::JsonValue animation,
                                        io::JsonValue value, const ChannelTarget& target, std::size_t size)
{
    const io::JsonValue samplers = animation["samplers"];
    const io::JsonValue sampler =
        samplers[LenientFields(value, document.warnings()).index("sampler", samplers.size())];
    const auto interpolation = to_interpolation(sampler["interpolation"]);
    if (!sampler.exists() || !interpolation) {
        warn(document, "the channel is ignored: no such sampler or interpolation", value);
        return scene::Channel{}; // no keys: ignored
    }
    const LoadResult<Accessor> input = find_accessor(document, sampler["input"]);
    const LoadResult<Accessor> output = find_accessor(document, sampler["output"]);
    if (!input || !output) {
        warn(document, "the channel is ignored: " + (input ? output : input).error().detail, sampler);
        return scene::Channel{}; // no keys: ignored
    }
    if (!targets.check_types(target, *input, *output, sampler)) return scene::Channel{};
    const std::uint64_t values = std::uint64_t{output->count} * output->components;
    if (auto taken = document.budget().take_keys(input->count + values, sampler.pointer()); !taken)
        return std::unexpected(taken.error());
    scene::Channel channel{target.node, target.path, *interpolation, read_floats(*input),
                           read_floats(*output)};
    fit_keys(document, channel, size * (*interpolation == scene::Interpolation::cubic ? 3 : 1), sampler);
    return channel;
}

} // namespace vitrine::gltf
