#pragma once
// How bake() goes about it: values on both sides of all knots (track.cpp), then keys between them
// (baker_keys.cpp).

#include <array>
#include <optional>
#include <vector>

#include "loaders/fbx/curves/track.hpp"
#include "loaders/fbx/curves/track_keys.hpp"
#include "loaders/fbx/curves/track_range.hpp"

namespace vitrine::fbx {

// Where a piece is tried against the motion: at both sides of its middle, unevenly, so that no symmetry hides
// an error.
inline constexpr std::array tries{0.3, 0.65};

class Baker {
public:
    Baker(const Track& track, scene::Path path, const BakeTime& time, BakeBudget& budget)
        : track_(track), path_(path), time_(time), budget_(budget), count_(track.components())
    {
    }

    scene::Channel run();

private:
    using Tried = std::array<Values, tries.size()>;
    struct Piece { // between two knots
        Tried tried{};
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
    bool fits(const Key& from, const Key& to, const Tried* known);
    void fit(const Key& from, Key to, const Tried* known, int halvings);
    void fit_all();
    void keep_knots();
    void push(Key key);
    void go_straight_before();
    void go_straight_after();
    scene::Interpolation choose_interpolation(bool steps, bool linear) const;
    void write_keys();
    void describe_ends(scene::Channel& channel);

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
    std::optional<KeyWriter> keys_; // once the interpolation is known
    scene::Interpolation interpolation_ = scene::Interpolation::linear;
};

} // namespace vitrine::fbx
