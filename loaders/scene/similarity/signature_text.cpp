// The texts of signatures as the catalog stores them.

#include <charconv>
#include <cmath>
#include <iterator>

#include "loaders/scene/similarity/similarity.hpp"

namespace vitrine::scene {
namespace {

class SignatureWriter {
public:
    void write(double number)
    {
        char digits[32];
        constexpr int precision = 7; // significant digits
        const auto end =
            std::to_chars(std::begin(digits), std::end(digits), number, std::chars_format::general, precision)
                .ptr;
        append({digits, end});
    }
    void write_whole(std::int64_t number)
    {
        char digits[24];
        append({digits, std::to_chars(std::begin(digits), std::end(digits), number).ptr});
    }
    template <std::size_t N>
    void write_shares(const std::array<std::uint8_t, N>& shares)
    {
        for (const auto share : shares)
            write_whole(share);
    }
    std::string finish() { return std::move(text_); }

private:
    void append(std::string_view digits)
    {
        if (!text_.empty()) text_ += ' ';
        text_ += digits;
    }
    std::string text_;
};

// Sticky failure, checked once at the end.
class SignatureReader {
public:
    explicit SignatureReader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

    template <class Number>
    Number read()
    {
        Number number{};
        if (failed_ || at_ == end_) return fail<Number>();
        const auto [rest, error] = std::from_chars(at_, end_, number);
        if (error != std::errc() || (rest != end_ && *rest != ' ')) return fail<Number>();
        at_ = rest == end_ ? end_ : rest + 1;
        return number;
    }
    double read_number()
    {
        const auto number = read<double>();
        if (!std::isfinite(number)) failed_ = true;
        return number;
    }
    template <std::size_t N>
    void read_shares(std::array<std::uint8_t, N>& shares)
    {
        for (auto& share : shares)
            share = read<std::uint8_t>();
    }
    bool is_complete() const { return !failed_ && at_ == end_; }
    bool has_more() const { return !failed_ && at_ != end_; }

private:
    template <class Number>
    Number fail()
    {
        failed_ = true;
        return {};
    }
    const char* at_;
    const char* const end_;
    bool failed_ = false;
};

template <class Signature>
std::optional<Signature> complete(const SignatureReader& reader, Signature signature)
{
    if (!reader.is_complete()) return std::nullopt;
    return signature;
}

} // namespace

std::string to_text(const SurfaceSignature& signature)
{
    SignatureWriter writer;
    for (const double value : signature.values)
        writer.write(value);
    writer.write_whole(signature.triangles);
    writer.write_whole(signature.directions);
    writer.write(signature.size);
    writer.write_whole(signature.handedness);
    writer.write_shares(signature.radii);
    writer.write_shares(signature.distances);
    return writer.finish();
}

std::string to_text(const RigLikeness& rig)
{
    SignatureWriter writer;
    for (const auto& joint : rig.joints) {
        writer.write_whole(joint.link);
        writer.write(double{joint.length});
        writer.write_whole(joint.branch);
    }
    return writer.finish();
}

std::string to_text(const MotionSignature& signature)
{
    SignatureWriter writer;
    writer.write(signature.duration);
    writer.write(signature.path);
    writer.write_whole(signature.moving);
    writer.write(signature.center);
    writer.write_shares(signature.times);
    writer.write_shares(signature.shares);
    return writer.finish();
}

std::optional<SurfaceSignature> parse_surface_signature(std::string_view text)
{
    SignatureReader reader(text);
    SurfaceSignature signature;
    for (double& value : signature.values)
        value = reader.read_number();
    signature.triangles = reader.read<std::uint32_t>();
    signature.directions = reader.read<std::uint32_t>();
    signature.size = reader.read_number();
    signature.handedness = reader.read<int>();
    reader.read_shares(signature.radii);
    reader.read_shares(signature.distances);
    if (!(signature.size > 0.0)) return std::nullopt;
    return complete(reader, signature);
}

std::optional<RigLikeness> parse_rig_likeness(std::string_view text)
{
    SignatureReader reader(text);
    RigLikeness rig;
    while (reader.has_more() && rig.joints.size() < max_alike_joints) {
        auto& joint = rig.joints.emplace_back();
        joint.link = reader.read<std::uint32_t>();
        joint.length = static_cast<float>(reader.read_number());
        joint.branch = reader.read<std::uint32_t>();
    }
    if (rig.joints.empty()) return std::nullopt;
    return complete(reader, std::move(rig));
}

std::optional<MotionSignature> parse_motion_signature(std::string_view text)
{
    SignatureReader reader(text);
    MotionSignature signature;
    signature.duration = reader.read_number();
    signature.path = reader.read_number();
    signature.moving = reader.read<std::uint32_t>();
    signature.center = reader.read_number();
    reader.read_shares(signature.times);
    reader.read_shares(signature.shares);
    return complete(reader, signature);
}

} // namespace vitrine::scene
