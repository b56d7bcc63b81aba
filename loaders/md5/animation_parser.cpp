#include <bit>

#include <fmt/format.h>

#include "loaders/io/limits.hpp"
#include "loaders/md5/md5_text.hpp"
#include "loaders/md5/parser.hpp"

namespace vitrine::md5 {
namespace {

class AnimationParser : Parser {
public:
    using Parser::Parser;

    LoadResult<Md5Animation> parse()
    {
        read_statements([this] { read_statement(); });
        if (!in_.failed()) check();
        if (in_.failed()) return std::unexpected(in_.error());
        return std::move(animation_);
    }

private:
    void read_statement();
    void read_frame_rate();
    void read_hierarchy();
    void read_bounds();
    void read_base_frame();
    void read_frame();
    bool make_room();
    void check();
    void check_joint(const AnimatedJoint& joint, std::uint32_t line);

    Md5Animation animation_;
    std::vector<bool> filled_; // by frame; resized at the first frame
    std::uint64_t filled_count_ = 0;
    std::size_t base_count_ = 0;
    std::optional<DeclaredCount> declared_joints_;
    std::uint32_t bounds_line_ = 0;
    bool has_frame_count_ = false;
};

void AnimationParser::read_statement()
{
    if (in_.accept("frame")) {
        read_frame();
    } else if (in_.accept("commandline")) {
        in_.string("the command line");
    } else if (in_.accept("numFrames")) {
        if (has_frame_count_) return in_.fail(LoadErrc::malformed, "numFrames is given twice");
        has_frame_count_ = true;
        animation_.frame_count = read_count(in_, "numFrames", limits_.frames, 0, "frames", 8);
    } else if (in_.accept("numJoints")) {
        declared_joints_ = read_declared_count(in_, "numJoints");
    } else if (in_.accept("frameRate")) {
        read_frame_rate();
    } else if (in_.accept("numAnimatedComponents")) {
        if (!filled_.empty())
            return in_.fail(LoadErrc::malformed, "numAnimatedComponents comes after a frame");
        animation_.component_count =
            read_count(in_, "numAnimatedComponents", limits_.key_values, 0, "key_values", 2);
    } else if (in_.accept("hierarchy")) {
        read_hierarchy();
    } else if (in_.accept("bounds")) {
        read_bounds();
    } else if (in_.accept("baseframe")) {
        read_base_frame();
    } else {
        skip_unknown(in_, warnings_);
    }
}

void AnimationParser::read_frame_rate()
{
    const std::string where = fmt::format("line {}", in_.peek().line);
    const double rate = in_.number("frameRate");
    if (in_.failed()) return;
    if (rate >= 1e-3 && rate <= 1e5) {
        animation_.frame_rate = rate;
        return;
    }
    warnings_.add("md5_frame_rate",
                  fmt::format("frameRate {} is invalid; 24 frames per second are assumed", rate), where);
}

void AnimationParser::read_hierarchy()
{
    read_joint_block(animation_.joints, "the hierarchy is given twice", [this](AnimatedJoint& joint) {
        joint.flags = static_cast<std::uint32_t>(in_.integer("the flags of a joint", 0, 63));
        joint.first_component = read_index(in_, "the start index of a joint");
    });
}

void AnimationParser::read_bounds()
{
    animation_.bounds.clear();
    bounds_line_ = in_.peek().line;
    in_.expect("{");
    while (!in_.failed() && !in_.accept("}")) {
        FrameBounds box;
        box.min = read_vec3(in_, "a bound");
        box.max = read_vec3(in_, "a bound");
        animation_.bounds.push_back(box);
    }
}

void AnimationParser::read_base_frame()
{
    in_.expect("{");
    base_count_ = 0;
    while (!in_.failed() && !in_.accept("}")) {
        if (base_count_ >= animation_.joints.size()) {
            return in_.fail(LoadErrc::out_of_range,
                            "the base frame has more joints than the hierarchy before it");
        }
        AnimatedJoint& joint = animation_.joints[base_count_++];
        joint.base_position = read_vec3(in_, "a base position");
        joint.base_orientation = read_vec3(in_, "a base orientation");
    }
}

// Allocates all frames at the first one, after checking that the file can contain them.
bool AnimationParser::make_room()
{
    if (!filled_.empty()) return true;
    const std::uint64_t values = std::uint64_t{animation_.frame_count} * animation_.component_count;
    if (values > limits_.key_values) {
        in_.fail(LoadErrc::limit_exceeded, io::limit_message(fmt::format("{} numbers in all frames", values),
                                                             "key_values", limits_.key_values));
    } else if (values > (in_.remaining() + 2) / 2) {
        in_.fail(LoadErrc::truncated,
                 fmt::format("{} frames of {} numbers are more than the rest of the file can contain",
                             animation_.frame_count, animation_.component_count));
    } else {
        animation_.components.resize(values);
        filled_.resize(animation_.frame_count);
    }
    return !in_.failed();
}

void AnimationParser::read_frame()
{
    const std::uint32_t line = in_.peek().line;
    const std::uint64_t frame = read_index(in_, "the number of a frame");
    if (in_.failed()) return;
    if (frame >= animation_.frame_count) {
        return in_.fail_at(
            line, LoadErrc::out_of_range,
            fmt::format("frame {} is in a file with numFrames {}", frame, animation_.frame_count));
    }
    if (!make_room()) return;
    if (filled_[frame])
        return in_.fail_at(line, LoadErrc::malformed, fmt::format("frame {} is given twice", frame));
    filled_[frame] = true;
    ++filled_count_;
    in_.expect("{");
    double* at = animation_.components.data() + frame * animation_.component_count;
    for (std::uint32_t i = 0; i < animation_.component_count && !in_.failed(); ++i) {
        at[i] = in_.number("a component of a frame", max_file_coordinate);
    }
    in_.expect("}");
}

void AnimationParser::check()
{
    if (animation_.joints.empty()) return in_.fail_at(1, LoadErrc::empty, "the file has no joints");
    if (animation_.frame_count == 0) return in_.fail_at(1, LoadErrc::empty, "the file has no frames");
    if (filled_count_ != animation_.frame_count) {
        return in_.fail(LoadErrc::truncated, fmt::format("numFrames is {}, but the file gives only {}",
                                                         animation_.frame_count, filled_count_));
    }
    for (std::size_t j = base_count_; j < animation_.joints.size(); ++j) {
        if (animation_.joints[j].flags == 63) continue; // all components are replaced
        return in_.fail(LoadErrc::truncated, fmt::format("the base frame gives {} of {} joints", base_count_,
                                                         animation_.joints.size()));
    }
    for (std::size_t j = 0; j < animation_.joints.size(); ++j)
        check_joint(animation_.joints[j], joint_lines_[j]);
    check_declared_count(declared_joints_, "numJoints", animation_.joints.size(), warnings_);
    if (!animation_.bounds.empty() && animation_.bounds.size() != animation_.frame_count) {
        warnings_.add("md5_count_differs",
                      fmt::format("there are {} bounds for {} frames", animation_.bounds.size(),
                                  animation_.frame_count),
                      fmt::format("line {}", bounds_line_));
        animation_.bounds.clear();
    }
}

void AnimationParser::check_joint(const AnimatedJoint& joint, std::uint32_t line)
{
    if (joint.parent != scene::none && joint.parent >= animation_.joints.size()) {
        in_.fail_at(line, LoadErrc::out_of_range,
                    fmt::format("the joint's parent {} does not exist ({} joints)", joint.parent,
                                animation_.joints.size()));
    }
    const auto used = static_cast<std::uint64_t>(std::popcount(joint.flags));
    if (used > 0 && joint.first_component + used > animation_.component_count) {
        in_.fail_at(line, LoadErrc::out_of_range,
                    fmt::format("the joint takes components {} to {} of {}", joint.first_component,
                                joint.first_component + used - 1, animation_.component_count));
    }
}

} // namespace

LoadResult<Md5Animation> parse_animation_file(Bytes bytes, const Limits& limits, io::WarningLog& warnings)
{
    std::string storage;
    return AnimationParser(io::as_text(bytes, storage), limits, warnings).parse();
}

} // namespace vitrine::md5
