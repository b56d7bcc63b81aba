#pragma once
// Signatures of the surface, the rig and the motions of a model, by which near duplicates are found: short
// numbers that stay the same when a model is moved, turned, scaled, mirrored or exported again. Pure
// functions; all require a validated scene.
//
// Each signature has buckets for an index: equal buckets are a necessary condition of being alike, so that
// only few signatures of a library are compared.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Integrals over the triangles of the static pose, weighted by area: they do not depend on the order, the
// number or the sharing of vertices, nor on how flat parts are divided into triangles.
struct SurfaceSignature {
    enum Invariant : std::uint8_t {
        middle,     // of the standard deviations along the principal axes: the second by the largest
        least,      // the third by the largest
        area,       // log(area / size^2)
        kurtosis,   // log(mean r^4 / size^4), r: distance from the centroid
        lopsided,   // length of mean r^2 x, by size^3
        skewness,   // Frobenius norm of the third central moments, by size^3
        volume,     // enclosed, seen from the centroid, by area^1.5
        invariants, // number of them
    };
    std::array<double, invariants> values{};
    std::uint32_t triangles = 0;
    std::uint32_t directions = 0; // in which faces look, at most max_counted_directions
    double size = 0.0;            // meters: root mean square distance from the centroid
    // 1 or -1: the opposite for mirror images. 0: the surface is like its mirror image, or nearly so.
    int handedness = 0;
    // Of points that are spread evenly: shares of distances from the centroid, and of distances between two
    // points, below ascending limits; 255: all.
    std::array<std::uint8_t, 24> radii{};
    std::array<std::uint8_t, 32> distances{};

    bool operator==(const SurfaceSignature&) const = default;
};
inline constexpr std::uint32_t max_counted_directions = 1024;
// Of all instances of meshes, the corners of triangles, or the vertices where there are more: work is
// bounded.
inline constexpr std::uint64_t max_surface_corners = 150'000'000;
// Empty: nothing with an area is visible, or more than `max_corners` are.
std::optional<SurfaceSignature> surface_signature(const Scene& scene,
                                                  std::uint64_t max_corners = max_surface_corners);

// A joint, by names without namespace and case.
struct RigJoint {
    std::uint32_t link = 0;   // hash of its name and that of its parent
    float length = 0.0f;      // from its parent in the static pose, by the mean of all
    std::uint32_t branch = 0; // hash of the hierarchy below it, without names

    bool operator==(const RigJoint&) const = default;
};
struct RigLikeness {
    std::vector<RigJoint> joints; // ascending by branch and length; at most max_alike_joints

    bool operator==(const RigLikeness&) const = default;
};
inline constexpr std::size_t max_alike_joints = 512;
// Empty: fewer than three joints.
std::optional<RigLikeness> rig_likeness(const Scene& scene);

// How fast the nodes of a clip turn, or move if none turns: independent of names, sizes and axes of joints.
struct MotionSignature {
    double duration = 0.0;                 // seconds
    double path = 0.0;                     // radians that all nodes turn together; 0: they move
    std::uint32_t moving = 0;              // nodes
    double center = 0.0;                   // mean time of the motion, by the duration
    std::array<std::uint8_t, 16> times{};  // shares of the motion before each sixteenth of the time; 255: all
    std::array<std::uint8_t, 12> shares{}; // of the nodes that move most

    bool operator==(const MotionSignature&) const = default;
};
inline constexpr std::size_t max_motion_signatures = 256; // clips of a model
// By clip; empty for clips that move nothing or change only vertices, and after max_motion_signatures.
std::vector<std::optional<MotionSignature>> motion_signatures(const Scene& scene);

// Buckets are positive.
std::int64_t bucket_of(const SurfaceSignature& signature);
std::int64_t bucket_of(const MotionSignature& signature);
std::vector<std::int64_t> buckets_of(const RigLikeness& rig); // one that is alike has one of them
// The buckets of those that are alike.
std::vector<std::int64_t> buckets_near(const SurfaceSignature& signature);
std::vector<std::int64_t> buckets_near(const MotionSignature& signature);

struct SurfaceMatch {
    double score = 0.0; // 0.95 and more: the same surface; 0.5 and more: nearly the same
    double scale = 1.0; // size of the second by that of the first
    bool is_mirrored = false;
};
// Empty: they are not alike.
std::optional<SurfaceMatch> compare(const SurfaceSignature& a, const SurfaceSignature& b);

struct RigMatch {
    double score = 0.0;          // 0.5 .. 1
    std::uint32_t shared = 0;    // joints
    double proportions = 0.0;    // mean difference of their lengths, relative
    bool has_same_names = false; // else the same hierarchy alone
};
std::optional<RigMatch> compare(const RigLikeness& a, const RigLikeness& b);

std::optional<double> compare(const MotionSignature& a, const MotionSignature& b); // 0.5 .. 1

// Numbers between spaces. parse_...: empty if it is not the text of a signature.
std::string to_text(const SurfaceSignature& signature);
std::string to_text(const RigLikeness& rig);
std::string to_text(const MotionSignature& signature);
std::optional<SurfaceSignature> parse_surface_signature(std::string_view text);
std::optional<RigLikeness> parse_rig_likeness(std::string_view text);
std::optional<MotionSignature> parse_motion_signature(std::string_view text);

} // namespace vitrine::scene
