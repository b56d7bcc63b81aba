#include "loaders/quake/loops.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "loaders/base/ascii.hpp"

namespace vitrine::quake {
namespace {

// What words of names begin or end with; what ends counts first: "crdeath", "standpain", "run_attack" end.
constexpr std::array<std::string_view, 22> one_shot_words = {
    "death", "dead",  "die",  "dying", "pain", "attack", "jump", "land",   "flip", "salute", "taunt",
    "wave",  "point", "gest", "hit",   "shot", "shoot",  "fire", "reload", "drop", "raise",  "fall"};
// "stnd": Quake II's "crstnd".
constexpr std::array<std::string_view, 12> looping_words = {
    "stand", "stnd", "run", "walk", "idle", "swim", "crouch", "crawl", "fly", "float", "hover", "loop"};

bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

// Whether a word of `name`, which is in lower case, begins or ends with one of `parts`.
bool has_word_with(std::string_view name, std::span<const std::string_view> parts)
{
    const char* const end = name.data() + name.size();
    for (const char* at = name.data(); at != end;) {
        const char* const begin = std::find_if(at, end, is_letter);
        at = std::find_if_not(begin, end, is_letter);
        const std::string_view word(begin, static_cast<std::size_t>(at - begin));
        const auto fits = [&](std::string_view part) {
            return word.starts_with(part) || word.ends_with(part);
        };
        if (std::ranges::any_of(parts, fits)) return true;
    }
    return false;
}

// Sum of squared distances between two frames.
double squared_step(const scene::Mesh& mesh, std::size_t from, std::size_t to)
{
    const std::size_t n = mesh.positions.size();
    double sum = 0.0;
    for (std::size_t v = 0; v < n; ++v) {
        const glm::dvec3 offset(mesh.frames.positions[to * n + v] - mesh.frames.positions[from * n + v]);
        sum += glm::dot(offset, offset);
    }
    return sum;
}

// Squared steps of all meshes.
struct Steps {
    double closing = 0.0;  // from the last frame to the first
    double neighbor = 0.0; // the larger one of those beside it: into the last, out of the first

    // But for rounding the last frame is the first one again, and the clip moves.
    bool is_closed() const { return neighbor > 0.0 && closing <= 0.01 * neighbor; }
};

// count: at least 2
Steps measure(std::span<const scene::Mesh* const> meshes, std::size_t first, std::size_t count)
{
    const std::size_t last = first + count - 1;
    double into_last = 0.0, out_of_first = 0.0;
    Steps out;
    for (const scene::Mesh* mesh : meshes) {
        if (last >= mesh->frames.count) continue;
        out.closing += squared_step(*mesh, last, first);
        into_last += squared_step(*mesh, last - 1, last);
        out_of_first += squared_step(*mesh, first, first + 1);
    }
    out.neighbor = std::max(into_last, out_of_first);
    return out;
}

} // namespace

std::optional<bool> loops_by_name(std::string_view clip)
{
    const std::string name = ascii::lower(clip);
    if (has_word_with(name, one_shot_words)) return false;
    if (has_word_with(name, looping_words)) return true;
    return std::nullopt;
}

bool loops_by_frames(std::span<const scene::Mesh* const> meshes, std::uint32_t first, std::uint32_t count)
{
    if (count < 3) return false;
    const Steps steps = measure(meshes, first, count);
    return steps.closing > 0.0 && !steps.is_closed() && steps.closing <= steps.neighbor;
}

bool loops(std::string_view clip, std::span<const scene::Mesh* const> meshes, std::uint32_t first,
           std::uint32_t count)
{
    if (count < 2) return false;
    const std::optional<bool> by_name = loops_by_name(clip);
    if (!by_name) return loops_by_frames(meshes, first, count);
    return *by_name && !measure(meshes, first, count).is_closed();
}

} // namespace vitrine::quake
