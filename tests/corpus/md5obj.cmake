find_package(simdjson REQUIRED)

vitrine_test(corpus_md5 LABEL corpus
    SOURCES md5_reference.cpp md5_test.cpp
    LINKS loaders_md5 vitrine_io vitrine_scene vitrine_test_support simdjson::simdjson)

vitrine_test(corpus_obj LABEL corpus
    SOURCES obj_test.cpp
    LINKS loaders_obj vitrine_io vitrine_scene vitrine_test_support)
