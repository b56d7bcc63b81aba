#include "loaders/fbx/track.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "loaders/fbx/track_keys.hpp"
#include "loaders/fbx/track_range.hpp"

namespace vitrine::fbx {
namespace {

// Where a piece is tried against the motion: at both sides of its middle, unevenly, so that no symmetry hides
// an error.
constexpr std::array tries{0.3, 0.65};
constexpr int deepest = 10; // halvings of a piece between two knots
// How far apart the keys of a jump stand, of its time: half of what scene::sample_channel() takes for one; of
// a step, of the outermost time: twice the slack with which it takes that.
constexpr double jump_share = 0x1p-21;

bool has_point(const Curve* curve)
{
    return std::ranges::any_of(
        curve->keys, [](const CurveKey& k) { return k.interpolation == KeyInterpolation::constant_next; });
}

class Baker {
public:
    Baker(const Track& track, scene::Path path, const BakeTime& time, BakeBudget& budget)
        : track_(track), path_(path), time_(time), budget_(budget), count_(track.components())
    {
    }

    scene::Channel run();

private:
    struct Piece { // between two knots
        std::array<Values, tries.size()> tried{};
        bool constant = false, linear = false;
    };

    bool is_rotation() const { return path_ == scene::Path::rotation; }
    double ticks_at(double seconds) const { return seconds * time_.ticks_per_second + time_.start; }
    void sample(double ticks, Side side, Values& value, Values& rate);
    Values value_at(double seconds);
    double distance(const Values& a, const Values& b) const;
    void add_knot(double ticks);
    void find_tolerance();
    void find_jump(Knot& knot);
    bool is_same(const Values& a, const Values& b) const { return distance(a, b) <= 4.0 * tolerance_; }
    std::vector<Key> keys_of_jump(const Knot& knot) const;
    Piece try_piece(const Knot& from, const Knot& to);
    void fit(const Key& from, Key to, const std::array<Values, tries.size()>& tried, int depth);
    void fit_all();
    void keep_knots();
    void push(Key key);
    void go_straight();

    const Track& track_;
    scene::Path path_;
    BakeTime time_;
    BakeBudget& budget_;
    std::size_t count_;
    double tolerance_ = 0.0;
    bool has_points_ = false; // some values hold at a key's time alone
    TrackRange range_;
    std::vector<Knot> knots_;
    std::vector<Piece> pieces_;
    std::vector<Key> keys_;
    scene::Interpolation interpolation_ = scene::Interpolation::linear;
};

void Baker::sample(double ticks, Side side, Values& value, Values& rate)
{
    value = Values(count_);
    rate = Values(count_);
    track_.sample(ticks, side, value, rate);
    for (double& r : rate)
        r *= time_.ticks_per_second;
    budget_.spend(sample_cost(track_));
}

Values Baker::value_at(double seconds)
{
    Values value, rate;
    sample(ticks_at(seconds), Side::after, value, rate);
    return value;
}

double Baker::distance(const Values& a, const Values& b) const
{
    return fbx::distance(a, b, is_rotation());
}

// Key times are single precision in a Scene. The motion is sampled at the time that is kept, but what lies
// before a jump is taken from before it.
void Baker::add_knot(double ticks)
{
    const auto seconds = static_cast<float>((ticks - time_.start) / time_.ticks_per_second);
    const double kept = ticks_at(double{seconds});
    const bool is_same = !knots_.empty() && knots_.back().seconds >= seconds;
    if (!is_same) {
        knots_.push_back({.seconds = seconds});
        sample(std::min(kept, ticks), Side::before, knots_.back().before, knots_.back().before_rate);
    }
    Knot& knot = knots_.back();
    knot.ticks = ticks;
    sample(std::max(kept, ticks), Side::after, knot.after, knot.after_rate);
}

// Relative to the largest value, for the scene keeps single precision of it; rotations are unit quaternions,
// whose distance is half the angle between them.
void Baker::find_tolerance()
{
    double largest = 0.0;
    for (const Knot& knot : knots_) {
        for (const double v : knot.after)
            largest = std::max(largest, std::abs(v));
    }
    if (path_ == scene::Path::rotation)
        tolerance_ = 2.5e-7;
    else if (path_ == scene::Path::weights)
        tolerance_ = 1e-6;
    else
        tolerance_ = std::max(2e-7 * largest, 1e-30);
    has_points_ = std::ranges::any_of(track_.curves, has_point);
    for (Knot& knot : knots_)
        find_jump(knot);
}

// What a channel repeats starts and ends with the values at its keys, whatever lies beyond them.
void Baker::find_jump(Knot& knot)
{
    const bool starts = &knot == &knots_.front() && range_.before.how.mode != scene::ExtrapolationMode::hold;
    const bool ends = &knot == &knots_.back() && range_.after.how.mode != scene::ExtrapolationMode::hold;
    knot.jumps = !is_same(knot.before, knot.after);
    if (!knot.jumps && !has_points_ && !starts && !ends) return;
    Values no_rate;
    sample(knot.ticks, Side::at, knot.at, no_rate);
    if (starts) knot.before = knot.at;
    if (ends) knot.after = knot.at;
    knot.jumps = !is_same(knot.before, knot.after) || !is_same(knot.before, knot.at);
}

// A jump, with its keys no nearer to the next knots than half the way.
std::vector<Key> Baker::keys_of_jump(const Knot& knot) const
{
    double outermost = std::abs(double{knot.seconds});
    if (interpolation_ == scene::Interpolation::step)
        outermost =
            std::max(std::abs(double{knots_.front().seconds}), std::abs(double{knots_.back().seconds}));
    double gap = std::max(outermost, 1e-2) * jump_share;
    if (&knot != &knots_.front()) gap = std::min(gap, 0.5 * (double{knot.seconds} - (&knot)[-1].seconds));
    if (&knot != &knots_.back()) gap = std::min(gap, 0.5 * ((&knot)[1].seconds - double{knot.seconds}));
    return fbx::keys_of_jump(knot, gap, 4.0 * tolerance_, is_rotation());
}

Baker::Piece Baker::try_piece(const Knot& from, const Knot& to)
{
    Piece piece{.constant = distance(from.after, to.before) <= tolerance_, .linear = true};
    const double span = double{to.seconds} - double{from.seconds};
    for (std::size_t i = 0; i < tries.size(); ++i) {
        piece.tried[i] = value_at(double{from.seconds} + tries[i] * span);
        piece.constant = piece.constant && distance(from.after, piece.tried[i]) <= tolerance_;
        piece.linear = piece.linear && distance(lerp(from.after, to.before, tries[i], is_rotation()),
                                                piece.tried[i]) <= tolerance_;
    }
    return piece;
}

void Baker::push(Key key)
{
    if (!keys_.empty()) {
        if (key.seconds <= keys_.back().seconds) return;
        if (is_rotation()) key.turn_to(keys_.back().value);
    }
    keys_.push_back(std::move(key));
}

// Between the knots the values stand still, or go straight; a step needs no key for where it comes from.
void Baker::keep_knots()
{
    const bool steps = interpolation_ == scene::Interpolation::step;
    for (const Knot& knot : knots_) {
        if (!knot.jumps) {
            push(key_of(knot));
            continue;
        }
        std::vector<Key> keys = keys_of_jump(knot);
        for (std::size_t i = steps && &knot != &knots_.front() ? 1 : 0; i < keys.size(); ++i)
            push(std::move(keys[i]));
    }
}

// From a key that is there already to one that is not, in as many pieces as it takes. The first is a copy of
// the caller's, for keys_ grow.
void Baker::fit(const Key& from, Key to, const std::array<Values, tries.size()>& tried, int depth)
{
    if (is_rotation()) to.turn_to(from.value);
    bool fits = true;
    for (std::size_t i = 0; i < tries.size() && fits; ++i) {
        Values shown = hermite(from, to, tries[i]);
        const double length = is_rotation() ? std::sqrt(std::max(dot(shown, shown), 1e-30)) : 1.0;
        for (double& v : shown)
            v /= length;
        fits = distance(shown, tried[i]) <= tolerance_;
    }
    const auto middle = static_cast<float>(0.5 * (double{from.seconds} + double{to.seconds}));
    const bool can_halve =
        depth < deepest && !budget_.is_exhausted() && middle > from.seconds && middle < to.seconds;
    if (fits || !can_halve) {
        keys_.back().out = from.out;
        push(std::move(to));
        return;
    }
    Key half{.seconds = middle};
    sample(ticks_at(double{middle}), Side::after, half.value, half.in);
    half.out = half.in;
    for (const bool second : {false, true}) {
        const double first = second ? double{middle} : double{from.seconds};
        const double span = (second ? double{to.seconds} : double{middle}) - first;
        std::array<Values, tries.size()> here;
        for (std::size_t i = 0; i < tries.size(); ++i)
            here[i] = value_at(first + tries[i] * span);
        if (second)
            fit(Key(keys_.back()), to, here, depth + 1);
        else
            fit(from, half, here, depth + 1);
    }
}

void Baker::fit_all()
{
    for (std::size_t i = 0; i < knots_.size(); ++i) {
        const Knot& knot = knots_[i];
        std::vector<Key> keys = knot.jumps ? keys_of_jump(knot) : std::vector{key_of(knot)};
        std::size_t arrived = 0;
        if (i > 0) {
            Key to = keys[0];
            to.out = to.in;
            if (!knot.jumps) to.value = knot.before;
            fit(Key(keys_.back()), std::move(to), pieces_[i - 1].tried, 0);
            // The same place, to be left at its own rate.
            if (is_rotation()) keys[0].turn_to(keys_.back().value);
            keys_.back().out = keys[0].out;
            arrived = 1;
        }
        for (std::size_t k = arrived; k < keys.size(); ++k)
            push(std::move(keys[k]));
    }
}

// One more key at each end that goes on straight, next to the last one: where the curves held their values or
// went on, its tangents are what they do from there. Nothing changes for who holds the end.
void Baker::go_straight()
{
    if (range_.before.straight) {
        const Knot& first = knots_.front();
        keys_.insert(keys_.begin(), {std::nextafter(first.seconds, -INFINITY), first.before_rate,
                                     first.before, first.before_rate});
    }
    if (range_.after.straight) {
        const Knot& last = knots_.back();
        push({std::nextafter(last.seconds, INFINITY), last.after_rate, last.before, last.after_rate});
    }
}

scene::Channel Baker::run()
{
    scene::Channel channel{.path = path_, .times = {}, .values = {}};
    range_ = find_range(track_, is_rotation(), time_.ticks_per_second, budget_);
    if (range_.knots.empty()) range_.knots.push_back(time_.start);
    // What could never be paid is not begun: knots take memory too.
    if (const std::uint64_t least = knot_cost(track_) * range_.knots.size(); !budget_.covers(least)) {
        budget_.spend(least);
        return channel;
    }
    for (const double ticks : range_.knots)
        add_knot(ticks);
    find_tolerance();
    bool constant = !knots_[0].jumps, steps = true, linear = true;
    for (std::size_t i = 0; i + 1 < knots_.size(); ++i) {
        pieces_.push_back(try_piece(knots_[i], knots_[i + 1]));
        steps = steps && pieces_.back().constant;
        linear = linear && pieces_.back().linear;
        constant = constant && pieces_.back().constant && !knots_[i + 1].jumps &&
                   distance(knots_[0].after, knots_[i + 1].after) <= tolerance_;
    }
    if (constant) {
        keys_.push_back({knots_[0].seconds, Values(count_), knots_[0].after, Values(count_)});
        write(keys_, interpolation_, channel);
        return channel;
    }
    const bool straight = range_.before.straight || range_.after.straight; // said by tangents
    interpolation_ = steps                 ? scene::Interpolation::step
                     : linear && !straight ? scene::Interpolation::linear
                                           : scene::Interpolation::cubic;
    if (interpolation_ == scene::Interpolation::cubic)
        fit_all();
    else
        keep_knots();
    if (interpolation_ == scene::Interpolation::cubic) go_straight();
    write(keys_, interpolation_, channel);
    channel.before = range_.before.how;
    channel.after = range_.after.how;
    for (const TrackEnd* end : {&range_.before, &range_.after}) {
        if (!end->is_sampled || end->is_complete) continue;
        const double outermost =
            end == &range_.before ? double{knots_.front().seconds} : double{knots_.back().seconds};
        budget_.sampled_seconds = std::max(budget_.sampled_seconds, std::abs(outermost));
    }
    return channel;
}

} // namespace

scene::Channel bake(const Track& track, scene::Path path, const BakeTime& time, BakeBudget& budget)
{
    return Baker(track, path, time, budget).run();
}

} // namespace vitrine::fbx
