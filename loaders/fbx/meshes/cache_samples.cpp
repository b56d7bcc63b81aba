#include "loaders/fbx/meshes/cache_samples.hpp"

#include <cmath>

#include <fmt/format.h>

#include "loaders/fbx/container/binary_values.hpp"

namespace vitrine::fbx {
namespace {

constexpr double maya_ticks_per_second = 6000.0;
constexpr std::string_view pc2_magic{"POINTCACHE2\0", 12};

std::string_view text_of(Bytes bytes)
{
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return text.substr(0, text.find('\0'));
}

// Reads consecutive chunks; groups are flattened, so that they need not be closed.
class MayaCacheReader {
public:
    explicit MayaCacheReader(Bytes file) : in_(file, true) {}

    LoadResult<std::vector<CacheSample>> run()
    {
        while (!in_.at_end()) {
            at_ = in_.position();
            if (auto read = read_chunk(); !read) return std::unexpected(read.error());
        }
        return std::move(samples_);
    }

private:
    std::unexpected<LoadError> reject(LoadErrc code, std::string detail) const
    {
        return fail(code, fmt::format("byte {}", at_), std::move(detail));
    }

    std::uint64_t read_size()
    {
        if (!wide_) return in_.read<std::uint32_t>();
        in_.read<std::uint32_t>(); // padding
        return in_.read<std::uint64_t>();
    }

    LoadResult<void> read_chunk()
    {
        const std::string_view tag = in_.read_text(4);
        if (tag == "FOR4" || tag == "FOR8") {
            wide_ = tag == "FOR8";
            read_size();
            in_.read_text(4); // CACH or MYCH
            return in_.failed() ? reject(LoadErrc::truncated, "the cache ends inside a group")
                                : LoadResult<void>();
        }
        const std::uint64_t size = read_size();
        const Bytes data = in_.read_bytes(size);
        if (in_.failed()) return reject(LoadErrc::truncated, "the cache ends inside a chunk");
        const std::uint64_t unit = wide_ ? 8 : 4;
        in_.seek(in_.position() + (unit - size % unit) % unit);
        take(tag, data);
        return {};
    }

    void take(std::string_view tag, Bytes data)
    {
        if ((tag == "TIME" || tag == "STIM") && data.size() >= 4) {
            seconds_ = ValueReader(data, true).read<std::int32_t>() / maya_ticks_per_second;
        } else if (tag == "CHNM") {
            channel_ = text_of(data);
        } else if (tag == "FVCA" || tag == "DVCA") {
            samples_.push_back({channel_, seconds_, data, tag == "DVCA", true});
        }
    }

    ValueReader in_;
    std::uint64_t at_ = 0;
    bool wide_ = false;
    double seconds_ = 0.0;
    std::string_view channel_;
    std::vector<CacheSample> samples_;
};

template <class T>
float number_at(Bytes numbers, std::size_t index, bool swap)
{
    T value;
    std::memcpy(&value, numbers.data() + index * sizeof(T), sizeof(T));
    const auto number = static_cast<float>(swap ? swap_bytes(value) : value);
    return std::isfinite(number) ? number : 0.0f;
}

} // namespace

std::vector<glm::vec3> CacheSample::read() const
{
    std::vector<glm::vec3> out(points());
    for (std::size_t i = 0; i < out.size(); ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t at = i * 3 + c;
            out[i][static_cast<glm::length_t>(c)] = is_double ? number_at<double>(numbers, at, big_endian)
                                                              : number_at<float>(numbers, at, big_endian);
        }
    }
    return out;
}

bool is_pc2(Bytes file)
{
    return std::string_view(reinterpret_cast<const char*>(file.data()), file.size()).starts_with(pc2_magic);
}

LoadResult<std::vector<CacheSample>> read_maya_cache(Bytes file)
{
    return MayaCacheReader(file).run();
}

LoadResult<std::vector<CacheSample>> read_pc2(Bytes file, double frame_rate)
{
    ValueReader in(file, false);
    in.read_text(pc2_magic.size());
    in.read<std::int32_t>(); // version, always 1
    const auto points = in.read<std::uint32_t>();
    const double start = double{in.read<float>()}, step = double{in.read<float>()};
    const auto count = in.read<std::uint32_t>();
    if (in.failed() || points == 0 || !std::isfinite(start) || !std::isfinite(step))
        return fail(LoadErrc::malformed, "byte 12", "the header of the point cache is invalid");
    std::vector<CacheSample> samples;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Bytes numbers = in.read_bytes(std::uint64_t{points} * 12);
        if (in.failed())
            return fail(LoadErrc::truncated, fmt::format("byte {}", in.position()),
                        "the point cache ends inside a sample");
        samples.push_back({{}, (start + i * step) / frame_rate, numbers, false, false});
    }
    return samples;
}

} // namespace vitrine::fbx
