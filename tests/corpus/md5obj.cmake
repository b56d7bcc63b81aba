find_package(simdjson REQUIRED)

vitrine_test(corpus_md5 LABEL corpus
    SOURCES md5_reference.cpp md5_test.cpp
    LINKS vitrine_md5 vitrine_io vitrine_scene vitrine_test_support simdjson::simdjson)
