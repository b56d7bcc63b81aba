vitrine_test(corpus_vrm LABEL corpus
    SOURCES vrm_test.cpp
    LINKS loaders_vrm vitrine_io vitrine_scene vitrine_test_support)
