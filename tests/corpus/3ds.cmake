vitrine_test(corpus_3ds LABEL corpus
    SOURCES 3ds_test.cpp
    LINKS loaders_3ds vitrine_io vitrine_scene vitrine_test_support)
