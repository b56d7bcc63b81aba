find_package(simdjson REQUIRED)

vitrine_test(corpus_md2 LABEL corpus
    SOURCES md2_test.cpp
    LINKS loaders_md2 vitrine_io vitrine_scene vitrine_test_support simdjson::simdjson)

vitrine_test(corpus_md3 LABEL corpus
    SOURCES md3_test.cpp
    LINKS loaders_md3 loaders_scene_parts vitrine_io vitrine_scene vitrine_test_support simdjson::simdjson)
