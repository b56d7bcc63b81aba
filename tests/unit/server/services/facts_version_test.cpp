// Reminds to raise the version of stored facts: what the import would store about some samples is compared
// with what it was at this version.

#include <cmath>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "api/json_text.hpp"
#include "server/services/importing/scene_metadata.hpp"
#include "server/util/sha256.hpp"
#include "tests/support/load_sample.hpp"
#include "tests/support/sample_files.hpp"

namespace vitrine::server::testing {
namespace {

namespace json = boost::json;

// Numbers in thousandths, so that the last bits do not matter; the offset keeps round values off the steps.
void append_rounded(std::string& text, const json::value& value)
{
    if (value.is_object()) {
        for (const auto& [key, member] : value.as_object()) {
            text.append(key).append(":");
            append_rounded(text, member);
        }
    } else if (value.is_array()) {
        for (const auto& element : value.as_array())
            append_rounded(text, element);
        text += "]";
    } else if (value.is_number()) {
        const double number = value.to_number<double>();
        text += std::to_string(std::llround(std::clamp(number, -1e12, 1e12) * 1000.0 + 0.137)) + ",";
    } else {
        text += api::to_text(value) + ",";
    }
}

std::string rounded(const std::string& document)
{
    boost::system::error_code error;
    const auto value = json::parse(document, error);
    if (error) return document; // AssetDocument::rig
    std::string text;
    append_rounded(text, value);
    return text;
}

// Everything that is stored about the model.
std::string stored_about(const scene::Scene& scene)
{
    const auto found = describe(scene);
    std::string text = found.format + found.generator + found.search.tags + found.search.clips +
                       found.search.joints + found.search.materials + rounded(found.summary);
    found.counts.visit_columns([&](std::string_view column, std::string_view, std::uint64_t count) {
        text.append(column).append("=").append(std::to_string(count));
    });
    for (const auto& [kind, document] : found.documents)
        text.append(to_string(kind)).append(rounded(document));
    for (const auto& facet : found.clip_facets)
        text += rounded(api::to_text(json::array{facet.loops, facet.in_place, facet.speed, facet.duration}));
    text += found.file_license + "/" + found.file_author + "/" + found.file_source_url +
            rounded(api::to_text(json::array{found.extent, found.warnings, found.missing_images}));
    for (const auto& code : found.warning_codes)
        text += code + ",";
    for (const auto& key : found.similarity)
        text.append(to_string(key.kind)).append(std::to_string(key.bucket));
    return text + rounded(describe_bounds(scene, [](double) { return true; }));
}

std::string hash_of(const std::vector<samples::SampleFile>& files)
{
    Sha256 hashed;
    for (const auto& file : files) {
        const auto scene = test::load_sample(file);
        EXPECT_TRUE(scene) << file.folder;
        if (scene) hashed.update(stored_about(*scene));
    }
    return hashed.finish();
}

} // namespace

TEST(FactsVersion, IsRaisedWithWhatIsStored)
{
    constexpr const char* advice =
        "what the import stores has changed: raise loader_revision or document_revision in "
        "api/facts_version.hpp, and put the new version and hashes here";
    EXPECT_EQ(api::facts_version, 7'004) << advice;
    const auto& samples = samples::all_samples();
    const auto robot = std::ranges::find(samples, "robot", &samples::Sample::name);
    ASSERT_NE(robot, samples.end());
    EXPECT_EQ(hash_of(test::formats_of(*robot)),
              "a9475aad1f46b7064fdd721daac6c64273b006afa2354839d98ebf30bee547ae")
        << advice;
    EXPECT_EQ(hash_of(samples::write_partial_formats()),
              "5cc3cd5047dab67ad94af742a2a8a34eb15ccdc452e29b82bdab1f494c4834a9")
        << advice;
}

} // namespace vitrine::server::testing
