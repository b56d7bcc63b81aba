vitrine_test(corpus_dae LABEL corpus TIMEOUT 300
    SOURCES dae_truth_test.cpp
    LINKS vitrine_dae vitrine_io vitrine_scene vitrine_test_support fmt::fmt)
