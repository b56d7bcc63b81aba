#include "loaders/scene/preview/clip_name_rank.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "loaders/base/ascii.hpp"

namespace vitrine::scene {
namespace {

struct RankedWord {
    std::string_view word; // lower case
    int rank;
};

constexpr std::array ranked_words{
    RankedWord{"idle", 0},      RankedWord{"stand", 1},   RankedWord{"standing", 1}, RankedWord{"walk", 2},
    RankedWord{"run", 3},       RankedWord{"running", 3}, RankedWord{"attack", 4},   RankedWord{"reload", 6},
    RankedWord{"pain", 6},      RankedWord{"hit", 6},     RankedWord{"hurt", 6},     RankedWord{"fall", 6},
    RankedWord{"crouch", 6},    RankedWord{"duck", 6},    RankedWord{"cr", 6},       RankedWord{"swim", 6},
    RankedWord{"sit", 6},       RankedWord{"bind", 7},    RankedWord{"tpose", 7},    RankedWord{"apose", 7},
    RankedWord{"reference", 7}, RankedWord{"ref", 7},     RankedWord{"pose", 7},     RankedWord{"death", 8},
    RankedWord{"dead", 8},      RankedWord{"die", 8},     RankedWord{"dies", 8},     RankedWord{"dying", 8},
};
// Suffixes that do not change the meaning of a word.
constexpr std::array<std::string_view, 7> word_suffixes{"", "s", "ing", "ed", "loop", "cycle", "cr"};

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
    for (const auto& [ranked_word, rank] : ranked_words) {
        if (!word.starts_with(ranked_word)) continue;
        const auto rest = word.substr(ranked_word.size());
        if (rest == "cr") return 6; // crouching in Quake models
        if (std::ranges::find(word_suffixes, rest) != word_suffixes.end()) return rank;
    }
    return unknown_name_rank;
}

} // namespace

int clip_name_rank(std::string_view clip_name)
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
    if (worst > unknown_name_rank) return worst;
    return std::min(best, unknown_name_rank);
}

} // namespace vitrine::scene
