// Texts that only those who know a secret can read.

#include "server/access/sealed_text.hpp"

#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

TEST(SealedText, IsReadWithItsSecretOnly)
{
    const std::string text(1000, 'x');
    const auto sealed = seal_text("sesame", text);
    EXPECT_FALSE(sealed.contains("78787878")) << "hexadecimal digits of the text";
    EXPECT_EQ(open_sealed_text("sesame", sealed), text);
    EXPECT_EQ(open_sealed_text("sesam", sealed), std::nullopt);
    EXPECT_NE(seal_text("sesame", text), sealed);
    EXPECT_EQ(open_sealed_text("", seal_text("", "")), "");
}

TEST(SealedText, IsRejectedWhenItWasChanged)
{
    const auto sealed = seal_text("sesame", "open");
    for (std::size_t at = 0; at < sealed.size(); ++at) {
        auto changed = sealed;
        changed[at] = changed[at] == '0' ? '1' : '0';
        EXPECT_EQ(open_sealed_text("sesame", changed), std::nullopt) << at;
        EXPECT_EQ(open_sealed_text("sesame", sealed.substr(0, at)), std::nullopt) << at;
    }
    EXPECT_EQ(open_sealed_text("sesame", std::string(sealed.size(), 'x')), std::nullopt);
}

} // namespace
} // namespace vitrine::server
