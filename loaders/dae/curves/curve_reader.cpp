#include "loaders/dae/curves/curve_reader.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "loaders/io/text/text_reader.hpp"

namespace vitrine::dae {
namespace {

// A matrix has 16 numbers; a curve over all weights of a morph has one per target.
constexpr std::uint32_t max_dimensions = 4096;

// Maya's names.
constexpr std::string_view before_keys = "pre_infinity", after_keys = "post_infinity";

// Returns nullopt for names that are not in the specification, such as some programs' TCB.
std::optional<SamplerInterpolation> key_kind(std::string_view name)
{
    if (name == "LINEAR") return SamplerInterpolation::linear;
    if (name == "BEZIER") return SamplerInterpolation::bezier;
    if (name == "STEP" || name == "STEP_NEXT") return SamplerInterpolation::step;
    if (name == "HERMITE") return SamplerInterpolation::hermite;
    if (name == "CARDINAL") return SamplerInterpolation::cardinal;
    if (name == "BSPLINE") return SamplerInterpolation::bspline;
    return std::nullopt;
}

// UNDEFINED and names that are not in the specification hold the nearest key's value, as almost all programs
// do.
InfinityBehavior mode_of(std::string_view name)
{
    if (name == "GRADIENT") return InfinityBehavior::gradient;
    if (name == "CYCLE") return InfinityBehavior::cycle;
    if (name == "OSCILLATE") return InfinityBehavior::oscillate;
    if (name == "CYCLE_RELATIVE") return InfinityBehavior::cycle_relative;
    return InfinityBehavior::constant;
}

// Maya's names for the same, as ColladaMaya writes them; nullopt for names of other programs.
std::optional<InfinityBehavior> mode_of_infinity(std::string_view name)
{
    if (name.empty() || name == "CONSTANT") return InfinityBehavior::constant;
    if (name == "LINEAR") return InfinityBehavior::gradient;
    if (name == "CYCLE") return InfinityBehavior::cycle;
    if (name == "OSCILLATE") return InfinityBehavior::oscillate;
    if (name == "CYCLE_RELATIVE") return InfinityBehavior::cycle_relative;
    return std::nullopt;
}

// Finds an element in a <technique> of the element or of its <extra>; absent when there is none.
io::XmlNode in_technique(io::XmlNode holder, std::string_view name)
{
    for (io::XmlNode t = holder.child("technique"); t.exists(); t = t.next("technique"))
        if (const io::XmlNode found = t.child(name); found.exists()) return found;
    for (io::XmlNode extra = holder.child("extra"); extra.exists(); extra = extra.next("extra"))
        if (const io::XmlNode found = in_technique(extra, name); found.exists()) return found;
    return {};
}

} // namespace

// Reads one sampler.
class SamplerReader {
public:
    SamplerReader(io::XmlNode sampler, CurveReader& reader)
        : sampler_(sampler), reader_(reader), relative_tangents_(reader.relative_tangents_),
          documents_(reader.documents_), sources_(reader.sources_), budget_(reader.budget_)
    {
    }

    LoadResult<SamplerCurve> read()
    {
        const auto input = sources_.doubles(source("INPUT"));
        const auto output = floats("OUTPUT");
        if (!input) return std::unexpected(input.error());
        if (!output) return std::unexpected(output.error());
        const std::uint32_t keys = std::min(input->count(), output->count());
        curve_.dimensions = std::min(output->components(), max_dimensions);
        if (keys == 0 || curve_.dimensions == 0) return SamplerCurve{};
        if (output->count() < input->count())
            documents_.warn("short_curve",
                            fmt::format("a curve has {} times and {} values; the excess is ignored",
                                        input->count(), output->count()),
                            sampler_);
        const std::uint64_t size = std::uint64_t{keys} * curve_.dimensions;
        if (auto taken = documents_.at(sampler_, budget_.take_keys(5 * size, {})); !taken)
            return std::unexpected(taken.error());
        const std::vector<std::uint32_t> order = order_of(*input, keys);
        for (const std::uint32_t key : order) {
            const double time = (*input)[key];
            if (!curve_.times.empty() && curve_.times.back() == time)
                curve_.jumps.push_back(curve_.times.size());
            curve_.times.push_back(time);
            for (std::uint32_t d = 0; d < curve_.dimensions; ++d)
                curve_.values.push_back(double{output->at(key, d)});
        }
        const CurveReader::Times& times = reader_.times_of(source("INPUT"));
        curve_.before = mode("pre_behavior", before_keys, times.before);
        curve_.after = mode("post_behavior", after_keys, times.after);
        read_kinds(order);
        if (auto read = read_tangents(order); !read) return std::unexpected(read.error());
        if (relative_tangents_) make_absolute();
        return std::move(curve_);
    }

private:
    io::XmlNode source(std::string_view semantic) { return input_source(sampler_, semantic, documents_); }
    LoadResult<FloatSource> floats(std::string_view semantic)
    {
        const io::XmlNode node = source(semantic);
        return node.exists() ? sources_.floats(node) : LoadResult<FloatSource>(FloatSource{});
    }

    // Uses the attribute of 1.5, else Maya's data of 1.4 next to the key times.
    InfinityBehavior mode(std::string_view attribute, std::string_view infinity, io::XmlNode declared)
    {
        if (sampler_.has_attribute(attribute)) return mode_of(sampler_.attribute(attribute));
        if (!declared.exists()) declared = in_technique(sampler_, infinity);
        const auto found = mode_of_infinity(declared.text());
        if (!found)
            documents_.warn("unknown_infinity",
                            fmt::format("the extrapolation {} of a curve is unknown; its end value is held",
                                        io::shown(declared.text())),
                            declared);
        return found.value_or(InfinityBehavior::constant);
    }

    // By time; of several keys at one time the first and the last are used, as a jump.
    static std::vector<std::uint32_t> order_of(const DoubleSource& input, std::uint32_t keys)
    {
        std::vector<std::uint32_t> order(keys);
        std::iota(order.begin(), order.end(), 0u);
        std::ranges::sort(order, {}, [&](std::uint32_t key) { return std::pair(input[key], key); });
        std::vector<std::uint32_t> selected;
        const auto at_last = [&](std::size_t from_end, std::uint32_t key) {
            return selected.size() >= from_end && input[selected[selected.size() - from_end]] == input[key];
        };
        for (const std::uint32_t key : order) {
            if (at_last(2, key)) selected.pop_back();
            selected.push_back(key);
        }
        return selected;
    }

    void read_kinds(const std::vector<std::uint32_t>& order)
    {
        const auto& [kinds, words] = reader_.interpolation_of(source("INTERPOLATION"));
        std::string_view unknown;
        for (const std::uint32_t key : order) {
            const std::size_t at = kinds.empty() ? 0 : std::min<std::size_t>(key, kinds.size() - 1);
            curve_.kinds.push_back(kinds.empty() ? SamplerInterpolation::linear : kinds[at]);
            if (!unknown.empty() || words.empty()) continue;
            const auto word =
                std::ranges::lower_bound(words, at, {}, &std::pair<std::size_t, std::string_view>::first);
            if (word != words.end() && word->first == at) unknown = word->second;
        }
        if (!unknown.empty())
            documents_.warn(
                "unknown_interpolation",
                fmt::format("the interpolation {} is unknown; LINEAR is used", io::shown(unknown)), sampler_);
    }

    // A cardinal spline's tension is contained in its tangents (1.4.1 specification, chapter 4): with
    // tangents it is a Hermite spline, without them a Catmull-Rom spline.
    void take_tension()
    {
        if (!source("IN_TANGENT").exists() || !source("OUT_TANGENT").exists()) return;
        std::ranges::replace(curve_.kinds, SamplerInterpolation::cardinal, SamplerInterpolation::hermite);
    }

    // Reads one value per dimension, or one point per dimension, or one time for the values of all
    // dimensions.
    LoadResult<void> read_tangents(const std::vector<std::uint32_t>& order)
    {
        take_tension();
        const bool wanted = std::ranges::any_of(curve_.kinds, [](SamplerInterpolation kind) {
            return kind == SamplerInterpolation::bezier || kind == SamplerInterpolation::hermite;
        });
        if (!wanted) return {};
        const auto in = floats("IN_TANGENT"), out = floats("OUT_TANGENT");
        if (!in) return std::unexpected(in.error());
        if (!out) return std::unexpected(out.error());
        const std::uint32_t d = curve_.dimensions, width = out->components();
        const bool usable = in->components() == width && in->count() > order.back() &&
                            out->count() > order.back() && (width == d || width == 2 * d || width == d + 1);
        if (!usable && relative_tangents_ && in->components() <= 1 && out->components() <= 1) {
            add_flat_tangents(*in, *out, order);
        } else if (!usable) {
            documents_.warn("missing_tangents", "a curve has no usable tangents; LINEAR is used", sampler_);
        } else {
            add_tangents(*in, *out, order);
        }
        return {};
    }

    void add_tangents(const FloatSource& in, const FloatSource& out, const std::vector<std::uint32_t>& order)
    {
        const std::uint32_t d = curve_.dimensions, width = out.components();
        curve_.tangents = width == d ? SamplerCurve::Tangents::values : SamplerCurve::Tangents::points;
        for (const std::uint32_t key : order)
            for (std::uint32_t i = 0; i < d; ++i) {
                add_tangent(in, key, i, curve_.in);
                add_tangent(out, key, i, curve_.out);
            }
    }

    // Exporters omitted zero tangents; FCollada treats missing tangents as flat.
    void add_flat_tangents(const FloatSource& in, const FloatSource& out,
                           const std::vector<std::uint32_t>& order)
    {
        curve_.tangents = SamplerCurve::Tangents::values;
        const auto value = [](const FloatSource& from, std::uint32_t key) {
            return key < from.count() ? double{from.at(key, 0)} : 0.0;
        };
        for (const std::uint32_t key : order) {
            curve_.in.insert(curve_.in.end(), curve_.dimensions, value(in, key));
            curve_.out.insert(curve_.out.end(), curve_.dimensions, value(out, key));
        }
    }

    void add_tangent(const FloatSource& from, std::uint32_t key, std::uint32_t i,
                     std::vector<double>& to) const
    {
        const bool shared_time = from.components() == curve_.dimensions + 1;
        if (curve_.tangents == SamplerCurve::Tangents::values) return to.push_back(double{from.at(key, i)});
        to.push_back(double{from.at(key, shared_time ? 0 : 2 * i)});
        to.push_back(double{from.at(key, shared_time ? i + 1 : 2 * i + 1)});
    }

    // Converts to the control points of the specification, of the segment that starts at a key.
    void make_absolute()
    {
        if (curve_.tangents != SamplerCurve::Tangents::values) return;
        const std::size_t d = curve_.dimensions;
        for (std::size_t key = 0; key + 1 < curve_.keys(); ++key) {
            if (curve_.kinds[key] != SamplerInterpolation::bezier) continue;
            for (std::size_t i = key * d; i < (key + 1) * d; ++i) {
                curve_.out[i] = curve_.values[i] + curve_.out[i];
                curve_.in[i + d] = curve_.values[i + d] - curve_.in[i + d];
            }
        }
    }

    io::XmlNode sampler_;
    CurveReader& reader_;
    bool relative_tangents_;
    Documents& documents_;
    Sources& sources_;
    io::Budget& budget_;
    SamplerCurve curve_;
};

LoadResult<SamplerCurve> CurveReader::read(io::XmlNode sampler)
{
    return SamplerReader(sampler, *this).read();
}

const CurveReader::Interpolation& CurveReader::interpolation_of(io::XmlNode source)
{
    const auto [known, is_new] = interpolations_.try_emplace(source.key());
    Interpolation& out = known->second;
    if (!is_new) return out;
    for (const std::string_view name : sources_.names(source)) {
        const auto kind = key_kind(name);
        if (!kind) out.unknown.emplace_back(out.kinds.size(), name);
        out.kinds.push_back(kind.value_or(SamplerInterpolation::linear));
    }
    return out;
}

const CurveReader::Times& CurveReader::times_of(io::XmlNode source)
{
    const auto [known, is_new] = times_.try_emplace(source.key());
    Times& out = known->second;
    if (!is_new) return out;
    out.before = in_technique(source, before_keys);
    out.after = in_technique(source, after_keys);
    for (io::XmlNode t = source.child("technique"); t.exists() && !out.driver.exists();
         t = t.next("technique"))
        out.driver = find_input(t, "DRIVER");
    return out;
}

std::string CurveReader::driver_of(io::XmlNode sampler)
{
    io::XmlNode driver = find_input(sampler, "DRIVER");
    const io::XmlNode input = find_input(sampler, "INPUT");
    if (!driver.exists()) driver = times_of(documents_.try_find(input, input.attribute("source"))).driver;
    const std::string_view source = driver.attribute("source");
    return std::string(source.substr(source.starts_with('#') ? 1 : 0));
}

} // namespace vitrine::dae
