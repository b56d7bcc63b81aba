// Keeps standing feet in place.
#include <algorithm>
#include <cmath>
#include <utility>

#include "loaders/scene/humanoid/retarget_parts.hpp"

namespace vitrine::scene {
namespace {

// In lengths of a leg.
constexpr float ball_height = 0.04f;  // of standing toes above the low ones of the clip (low_value())
constexpr float ankle_height = 0.03f; // of a standing ankle above the low ones
constexpr float flat_height = 0.06f;  // of a standing ankle above that of the rest pose, if feet stand flat
constexpr float max_ground = 0.15f;   // of the low ankles of a clip with feet on the ground
constexpr float max_drop = 0.1f;      // of the hips, where a foot is out of reach

constexpr double fade_seconds = 0.25;
constexpr float max_reach = 0.9995f; // of the leg's length

enum class Contact : std::uint8_t { none, ankle, ball };

struct LegBones {
    HumanBone upper, lower, foot, toes;
};
constexpr LegBones leg_bones[] = {
    {HumanBone::left_upper_leg, HumanBone::left_lower_leg, HumanBone::left_foot, HumanBone::left_toes},
    {HumanBone::right_upper_leg, HumanBone::right_lower_leg, HumanBone::right_foot, HumanBone::right_toes}};

float smooth_step(double t)
{
    const double x = std::clamp(t, 0.0, 1.0);
    return static_cast<float>(x * x * (3.0 - 2.0 * x));
}

// One leg over the clip.
class PlantedLeg {
public:
    PlantedLeg(const LegBones& bones, const SourceMotion& source, const RestBody& target,
               const TargetPoser& poser, const std::vector<TargetFrame>& frames)
        : bones_(bones), source_(source), target_(target), poser_(poser)
    {
        has_toes_ = poser.has(bones.toes);
        for (const auto& frame : frames)
            free_.push_back(frame.at[poser.index(bones.foot)]);
        find_contacts();
        find_goals(frames);
    }

    bool stands() const
    {
        return std::ranges::any_of(contacts_, [](Contact c) { return c != Contact::none; });
    }

    // How far the hips must be lowered for the standing foot to be in reach.
    float drop(std::size_t i, const TargetFrame& frame) const
    {
        if (contacts_[i] == Contact::none) return 0.0f;
        const glm::vec3 way = frame.at[poser_.index(bones_.upper)] - goals_[i];
        const float reach = max_reach * length(frame);
        const float height = glm::dot(way, target_.up());
        const float across = glm::dot(way, way) - height * height;
        if (glm::dot(way, way) <= reach * reach) return 0.0f;
        const float lower = std::sqrt(std::max(reach * reach - across, 0.0f));
        return std::clamp(height - lower, 0.0f, max_drop * target_.leg_length);
    }

    // Bends the knee so that the ankle is at its goal.
    void solve(std::size_t i, TargetFrame& frame) const
    {
        const auto upper = poser_.index(bones_.upper), lower = poser_.index(bones_.lower);
        const glm::vec3 hip = frame.at[upper], knee = frame.at[lower],
                        ankle = frame.at[poser_.index(bones_.foot)];
        const float thigh = glm::length(knee - hip), shin = glm::length(ankle - knee);
        const glm::vec3 way = goals_[i] - hip;
        if (!(std::min({thigh, shin, glm::length(way)}) > 1e-5f)) return;
        const float reach =
            std::min(std::max(glm::length(way), std::abs(thigh - shin) * 1.0001f), (thigh + shin) * 0.99999f);
        const glm::vec3 along = glm::normalize(way);
        const glm::vec3 bend = swing(ankle - hip, along) * bend_of(frame, hip, knee, ankle);
        const glm::vec3 side = bend - along * glm::dot(bend, along);
        if (!(glm::length(side) > 1e-6f)) return;
        const float foot_of_knee = (thigh * thigh - shin * shin + reach * reach) / (2.0f * reach);
        const float out = std::sqrt(std::max(thigh * thigh - foot_of_knee * foot_of_knee, 0.0f));
        const glm::vec3 new_knee = hip + along * foot_of_knee + glm::normalize(side) * out;
        frame.turns[upper] = glm::normalize(swing(knee - hip, new_knee - hip) * frame.turns[upper]);
        frame.turns[lower] =
            glm::normalize(swing(ankle - knee, hip + along * reach - new_knee) * frame.turns[lower]);
    }

private:
    float length(const TargetFrame& frame) const
    {
        const glm::vec3 knee = frame.at[poser_.index(bones_.lower)];
        return glm::length(knee - frame.at[poser_.index(bones_.upper)]) +
               glm::length(frame.at[poser_.index(bones_.foot)] - knee);
    }

    // The direction in which the knee leaves the line from hip to ankle; of a straight leg, the front.
    glm::vec3 bend_of(const TargetFrame& frame, const glm::vec3& hip, const glm::vec3& knee,
                      const glm::vec3& ankle) const
    {
        constexpr float straight = 0.03f; // of the thigh
        const glm::vec3 along = glm::normalize(ankle - hip);
        const auto across = [&](const glm::vec3& way) { return way - along * glm::dot(way, along); };
        const glm::vec3 bend = across(knee - hip);
        const glm::vec3 front = across(frame.turns[poser_.index(bones_.upper)] * target_.frame[2]);
        const bool is_straight = glm::length(bend) < straight * glm::length(knee - hip);
        return is_straight && glm::dot(bend, front) <= glm::length(bend) * glm::length(front) * 0.9f ? front
                                                                                                     : bend;
    }

    float height(std::size_t i, HumanBone bone) const
    {
        return glm::dot(source_.frames[i].at[index_of(bone)] - target_.ground, target_.up());
    }

    float standing_height(HumanBone bone) const
    {
        std::vector<float> heights;
        for (std::size_t i = 0; i < source_.frames.size(); ++i)
            heights.push_back(height(i, bone));
        return low_value(std::move(heights));
    }

    void find_contacts()
    {
        const float leg = target_.leg_length;
        standing_ankle_ = standing_height(bones_.foot);
        standing_toes_ = has_toes_ ? standing_height(bones_.toes) : 0.0f;
        const bool on_ground = standing_ankle_ < max_ground * leg;
        const bool is_flat = std::abs(standing_ankle_) < flat_height * leg || !has_toes_;
        for (std::size_t i = 0; i < source_.frames.size(); ++i) {
            Contact contact = Contact::none;
            if (on_ground && has_toes_ && height(i, bones_.toes) < standing_toes_ + ball_height * leg)
                contact = Contact::ball;
            else if (on_ground && is_flat && height(i, bones_.foot) < standing_ankle_ + ankle_height * leg)
                contact = Contact::ankle;
            contacts_.push_back(contact);
        }
    }

    glm::vec3 ankle(std::size_t i) const { return source_.frames[i].at[index_of(bones_.foot)]; }

    // From the ankle of the animation to where the ankle of the character has to be for its toes or its ankle
    // to move as those of the animation; up to a constant over the ground.
    glm::vec3 pinned(std::size_t i, Contact contact, const TargetFrame& frame) const
    {
        const glm::vec3 up = target_.up();
        if (contact == Contact::ankle) return -standing_ankle_ * up;
        const glm::vec3 foot = target_.at(bones_.toes) - target_.at(bones_.foot);
        const glm::vec3 toes = source_.frames[i].at[index_of(bones_.toes)];
        const glm::vec3 turned = frame.turns[poser_.index(bones_.foot)] * foot;
        const float rest_height = glm::dot(target_.at(bones_.toes) - target_.ground, up);
        return toes - ankle(i) - turned + (rest_height - standing_toes_) * up;
    }

    glm::vec3 over_ground(const glm::vec3& way) const
    {
        return way - target_.up() * glm::dot(way, target_.up());
    }

    // Offsets of one time on the ground, first <= i < end: without jumps where heel and toes take turns, in
    // the mean where the unplanted foot is.
    void pin(std::size_t first, std::size_t end, const std::vector<TargetFrame>& frames)
    {
        glm::vec3 jump(0.0f), mean(0.0f);
        for (std::size_t i = first; i < end; ++i) {
            if (i > first && contacts_[i] != contacts_[i - 1])
                jump +=
                    over_ground(pinned(i, contacts_[i - 1], frames[i]) - pinned(i, contacts_[i], frames[i]));
            offsets_[i] = pinned(i, contacts_[i], frames[i]) + jump;
            mean += over_ground(free_[i] - ankle(i) - offsets_[i]) / static_cast<float>(end - first);
        }
        for (std::size_t i = first; i < end; ++i)
            offsets_[i] += mean;
    }

    // Between two times on the ground the foot follows the unplanted one, from and to its places.
    void fade(std::size_t first, std::size_t end)
    {
        const auto& times = source_.times;
        const bool from = first > 0, to = end < times.size();
        const double begin = from ? times[first - 1] : times.front(), finish = to ? times[end] : times.back();
        const double span = std::max(std::min(fade_seconds, finish - begin), 1e-6);
        const auto rest = [&](std::size_t i) { return offsets_[i] - (free_[i] - ankle(i)); };
        const glm::vec3 before = from ? rest(first - 1) : glm::vec3(0.0f);
        const glm::vec3 after = to ? rest(end) : glm::vec3(0.0f);
        for (std::size_t i = first; i < end; ++i)
            offsets_[i] = free_[i] - ankle(i) + before * (1.0f - smooth_step((times[i] - begin) / span)) +
                          after * (1.0f - smooth_step((finish - times[i]) / span));
    }

    template <class Visit>
    void visit_runs(bool standing, const Visit& visit) const
    {
        for (std::size_t i = 0; i < contacts_.size();) {
            std::size_t end = i;
            while (end < contacts_.size() && (contacts_[end] != Contact::none) == standing)
                ++end;
            if (end > i) visit(i, end);
            i = std::max(end, i + 1);
        }
    }

    void find_goals(const std::vector<TargetFrame>& frames)
    {
        offsets_.resize(frames.size());
        visit_runs(true, [&](std::size_t first, std::size_t end) { pin(first, end, frames); });
        visit_runs(false, [&](std::size_t first, std::size_t end) { fade(first, end); });
        for (std::size_t i = 0; i < frames.size(); ++i)
            goals_.push_back(ankle(i) + offsets_[i]);
    }

    const LegBones& bones_;
    const SourceMotion& source_;
    const RestBody& target_;
    const TargetPoser& poser_;
    bool has_toes_ = false;
    float standing_ankle_ = 0.0f, standing_toes_ = 0.0f;
    std::vector<Contact> contacts_;
    std::vector<glm::vec3> free_;    // the ankle without planting
    std::vector<glm::vec3> offsets_; // from the ankle of the animation
    std::vector<glm::vec3> goals_;
};

// The largest value among the neighbors, then their mean: as low as needed, without jumps.
std::vector<float> smooth_drops(const std::vector<float>& drops)
{
    constexpr std::size_t reach = 3; // frames to either side
    const auto window = [&](std::size_t i) {
        return std::pair(i - std::min(i, reach), std::min(i + reach + 1, drops.size()));
    };
    std::vector<float> highest(drops.size()), smooth(drops.size());
    for (std::size_t i = 0; i < drops.size(); ++i) {
        const auto [first, end] = window(i);
        for (auto k = first; k < end; ++k)
            highest[i] = std::max(highest[i], drops[k]);
    }
    for (std::size_t i = 0; i < drops.size(); ++i) {
        const auto [first, end] = window(i);
        for (auto k = first; k < end; ++k)
            smooth[i] += highest[k] / static_cast<float>(end - first);
    }
    return smooth;
}

} // namespace

void plant_feet(const SourceMotion& source, const RestBody& target, const TargetPoser& poser,
                std::vector<TargetFrame>& frames)
{
    std::vector<PlantedLeg> legs;
    for (const auto& bones : leg_bones) {
        const bool is_whole = poser.has(bones.upper) && poser.has(bones.lower) && poser.has(bones.foot);
        if (!is_whole) continue;
        PlantedLeg leg(bones, source, target, poser, frames);
        if (leg.stands()) legs.push_back(std::move(leg));
    }
    std::vector<float> drops(frames.size(), 0.0f);
    for (const PlantedLeg& leg : legs)
        for (std::size_t i = 0; i < frames.size(); ++i)
            drops[i] = std::max(drops[i], leg.drop(i, frames[i]));
    drops = smooth_drops(drops);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        poser.place(source.frames[i], drops[i], frames[i]);
        for (const PlantedLeg& leg : legs)
            leg.solve(i, frames[i]);
    }
}

} // namespace vitrine::scene
