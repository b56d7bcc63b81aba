#include "loaders/scene/preview/telling_rank.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "loaders/base/ascii.hpp"

namespace vitrine::scene {
namespace {

struct Word {
    std::string_view word; // in small letters
    int rank;
};

constexpr std::array words{
    Word{"idle", 0},      Word{"stand", 1},  Word{"standing", 1}, Word{"walk", 2},  Word{"run", 3},
    Word{"running", 3},   Word{"attack", 4}, Word{"reload", 6},   Word{"pain", 6},  Word{"hit", 6},
    Word{"hurt", 6},      Word{"fall", 6},   Word{"crouch", 6},   Word{"duck", 6},  Word{"cr", 6},
    Word{"swim", 6},      Word{"sit", 6},    Word{"bind", 7},     Word{"tpose", 7}, Word{"apose", 7},
    Word{"reference", 7}, Word{"ref", 7},    Word{"pose", 7},     Word{"death", 8}, Word{"dead", 8},
    Word{"die", 8},       Word{"dies", 8},   Word{"dying", 8},
};
// What a word may end in without being another.
constexpr std::array<std::string_view, 7> endings{"", "s", "ing", "ed", "loop", "cycle", "cr"};

bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool is_letter(char c)
{
    return ascii::to_lower(c) >= 'a' && ascii::to_lower(c) <= 'z';
}

int rank_of_word(std::string_view word)
{
    for (const auto& [known, rank] : words) {
        if (!word.starts_with(known)) continue;
        const auto rest = word.substr(known.size());
        if (rest == "cr") return 6; // Quake's crouching
        if (std::ranges::find(endings, rest) != endings.end()) return rank;
    }
    return nothing_said;
}

} // namespace

int telling_rank(std::string_view clip_name)
{
    int best = std::numeric_limits<int>::max(), worst = 0;
    std::string word;
    const auto end_word = [&] {
        if (word.empty()) return;
        const int rank = rank_of_word(word);
        best = std::min(best, rank);
        worst = std::max(worst, rank);
        word.clear();
    };
    for (std::size_t i = 0; i < clip_name.size(); ++i) {
        const char c = clip_name[i];
        const bool begins = is_capital(c) && i > 0 && !is_capital(clip_name[i - 1]);
        if (begins || !is_letter(c)) end_word();
        if (is_letter(c)) word += ascii::to_lower(c);
    }
    end_word();
    if (worst > nothing_said) return worst;
    return std::min(best, nothing_said);
}

} // namespace vitrine::scene
