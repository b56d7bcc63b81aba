vitrine_test(corpus_bvh LABEL corpus
    SOURCES bvh_test.cpp
    LINKS loaders_bvh vitrine_io vitrine_scene)
