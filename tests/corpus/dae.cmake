vitrine_test(corpus_dae LABEL corpus TIMEOUT 300
    SOURCES dae_pictures_test.cpp dae_silhouettes.cpp dae_reference_test.cpp dae_view.cpp silhouette_mask.cpp
    LINKS loaders_dae vitrine_export loaders_images vitrine_io vitrine_scene vitrine_test_support fmt::fmt)
