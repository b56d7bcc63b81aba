// Lists of clips that fit a character, and of characters that fit the clips of an asset.
#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t rows_per_read = 50; // a signature takes up to scene::max_rig_names names
constexpr std::size_t max_known_bytes = 32 * 1024 * 1024; // of the different signatures that are remembered

// The best fit first; what is bound by name before what is retargeted, new assets before old ones.
bool is_better(const Fitting& a, const Fitting& b)
{
    const auto key = [](const Fitting& f) {
        return std::tuple(-f.fit.share, f.fit.by_role, f.order, f.clip);
    };
    return key(a) < key(b);
}

// The entries of one page, as the list grows. Holds a bounded number of entries.
class BestFittings {
public:
    explicit BestFittings(const FittingQuery& query)
        : offset_(std::min(query.offset, max_fittings)), limit_(std::clamp<std::size_t>(query.limit, 1, 500))
    {
    }

    void add(Fitting entry)
    {
        if (entry.fit.share <= 0.0) return;
        entries_.push_back(std::move(entry));
        if (entries_.size() >= 4 * wanted()) shorten();
    }

    FittingPage finish()
    {
        shorten();
        std::ranges::sort(entries_, is_better);
        FittingPage page;
        const auto first = std::min(offset_, entries_.size()),
                   end = std::min(first + limit_, entries_.size());
        page.items.assign(entries_.begin() + static_cast<std::ptrdiff_t>(first),
                          entries_.begin() + static_cast<std::ptrdiff_t>(end));
        if (end < entries_.size() && end < max_fittings) page.next = end;
        return page;
    }

private:
    std::size_t wanted() const { return offset_ + limit_ + 1; }
    void shorten()
    {
        if (entries_.size() <= wanted()) return;
        const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(wanted());
        std::ranges::nth_element(entries_, end, is_better);
        entries_.erase(end, entries_.end());
    }

    std::size_t offset_, limit_;
    std::vector<Fitting> entries_;
};

// Calls visit(row, rig) for each asset but one, new ones first. Assets of one rig have one signature, which
// is parsed once.
template <class Visit>
void visit_rigs(const Catalog& catalog, const std::string& except, const Visit& visit)
{
    std::unordered_map<std::string, std::optional<scene::RigSignature>> known;
    std::size_t known_bytes = 0;
    auto before = std::numeric_limits<std::int64_t>::max();
    for (auto rows = catalog.list_rigs(before, rows_per_read); !rows.empty();
         rows = catalog.list_rigs(before, rows_per_read)) {
        before = rows.back().seq;
        if (known_bytes > max_known_bytes) {
            known.clear();
            known_bytes = 0;
        }
        for (const auto& row : rows) {
            if (row.asset == except) continue;
            const auto [found, is_new] = known.try_emplace(row.signature);
            if (is_new) {
                found->second = scene::parse_rig_signature(row.signature);
                known_bytes += 2 * row.signature.size(); // the text, and about as much for what was parsed
            }
            if (found->second) visit(row, *found->second);
        }
    }
}

std::optional<scene::RigSignature> find_rig(const Catalog& catalog, const AssetRecord& asset)
{
    const auto text = catalog.find_document(asset.id, asset.version, AssetDocument::rig);
    return text ? scene::parse_rig_signature(*text) : std::nullopt;
}

Fitting fitting_of(const RigRow& row, std::uint32_t clip, const scene::ClipFit& fit)
{
    // Descending numbers ascend here.
    const auto order = std::numeric_limits<std::int64_t>::max() - row.seq;
    return {.asset = row.asset, .name = row.name, .clip = clip, .fit = fit, .order = order};
}

} // namespace

std::optional<FittingPage> find_fitting_clips(const Catalog& catalog, const AssetRecord& character,
                                              const FittingQuery& query)
{
    const auto own = find_rig(catalog, character);
    if (!own) return std::nullopt;
    BestFittings best(query);
    visit_rigs(catalog, character.id, [&](const RigRow& row, const scene::RigSignature& rig) {
        std::vector<scene::ClipFit> fits;
        for (const auto& moved : rig.moved)
            fits.push_back(scene::fit_of(own->joints, moved));
        for (std::uint32_t clip = 0; clip < rig.clips.size(); ++clip)
            best.add(fitting_of(row, clip, fits[rig.clips[clip]]));
    });
    return best.finish();
}

std::optional<FittingPage> find_fitting_characters(const Catalog& catalog, const AssetRecord& animation,
                                                   const FittingQuery& query)
{
    const auto own = find_rig(catalog, animation);
    if (!own) return std::nullopt;
    std::vector<scene::JointSet> moved; // of different clips
    if (query.clip == scene::none)
        moved = own->moved;
    else if (query.clip < own->clips.size())
        moved.push_back(own->moved[own->clips[query.clip]]);
    BestFittings best(query);
    visit_rigs(catalog, animation.id, [&](const RigRow& row, const scene::RigSignature& rig) {
        scene::ClipFit fit;
        for (const auto& set : moved)
            if (const auto one = scene::fit_of(rig.joints, set); one.share > fit.share) fit = one;
        best.add(fitting_of(row, scene::none, fit));
    });
    return best.finish();
}

} // namespace vitrine::server
