# A library, because the sources of test programs are not optimized: these fill and compare the pixels of pictures.
vitrine_library(vitrine_dae_silhouettes
    SOURCES dae_silhouettes.cpp dae_view.cpp silhouette_mask.cpp
    PUBLIC loaders_dae vitrine_export loaders_images vitrine_io vitrine_scene vitrine_test_support vitrine::fmt)
vitrine_test(corpus_dae LABEL corpus TIMEOUT 300
    SOURCES dae_pictures_test.cpp dae_reference_test.cpp
    LINKS vitrine_dae_silhouettes)
