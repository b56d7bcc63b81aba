#include <gtest/gtest.h>

#include "server/cli/view_options.hpp"

using namespace vitrine;
using namespace vitrine::cli;

TEST(ChooseView, NoArgumentsGiveTheThumbnailsView)
{
    const auto view = choose_view({}).value();
    EXPECT_EQ(view.width, 512u);
    EXPECT_EQ(view.height, 512u);
    EXPECT_TRUE(view.camera.automatic);
    EXPECT_EQ(choose_view({.light = "reference"})->camera.yaw, 30.0f) << "for comparing a view that is known";
    EXPECT_FALSE(view.camera.orthographic);
    EXPECT_FALSE(view.background);
    EXPECT_EQ(view.light, render::LightingPreset::studio);
}

TEST(ChooseView, AllArguments)
{
    const auto view = choose_view({.size = "640x480",
                                   .view = "top",
                                   .background = "white",
                                   .overlays = "skeleton,normals",
                                   .light = "reference",
                                   .orthographic = true,
                                   .crowd = 12,
                                   .ghosts = "2,1@0.25"})
                          .value();
    EXPECT_EQ(view.crowd, 12u);
    EXPECT_EQ(view.ghosts, (render::Ghosts{.before = 2, .after = 1, .step = 0.25}));
    EXPECT_EQ(view.width, 640u);
    EXPECT_EQ(view.height, 480u);
    EXPECT_EQ(view.camera.pitch, 90.0f);
    EXPECT_TRUE(view.camera.orthographic) << "with a named view too";
    EXPECT_EQ(view.background, glm::vec4(1.0f));
    EXPECT_TRUE(view.overlays.skeleton && view.overlays.normals);
    EXPECT_EQ(view.light, render::LightingPreset::reference);
    EXPECT_EQ(choose_view({.size = "300"})->height, 300u);
}

TEST(ChooseView, ErrorsListTheValidValues)
{
    EXPECT_EQ(choose_view({.background = "blue"}).error(),
              "--background 'blue': must be studio, transparent, white, black, #rrggbb or #rrggbbaa");
    EXPECT_TRUE(choose_view({.size = "12x"}).error().starts_with("--size '12x'"));
    EXPECT_TRUE(choose_view({.size = "1x2x3"}).error().starts_with("--size"));
    EXPECT_TRUE(choose_view({.view = "nan,0"}).error().starts_with("--view"));
    EXPECT_TRUE(choose_view({.overlays = "glow"}).error().starts_with("--overlay"));
    EXPECT_TRUE(choose_view({.light = "dim"}).error().starts_with("--light"));
    EXPECT_TRUE(
        choose_view({.ghosts = "many"}).error().starts_with("--ghosts 'many': must be BEFORE[,AFTER]"));
}
