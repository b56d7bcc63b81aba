# Every model of the corpus as GLB: read back by our own loader, then judged by Khronos' validator.
set(exported ${CMAKE_CURRENT_BINARY_DIR}/exported)
vitrine_test(corpus_export LABEL corpus WHOLE TIMEOUT 600
    SOURCES export_test.cpp gltf_corpus.cpp
    LINKS vitrine_export loaders_worker_program loaders_gltf vitrine_io vitrine_test_support vitrine::fmt)
set_tests_properties(corpus_export PROPERTIES FIXTURES_SETUP exported_corpus
    ENVIRONMENT VITRINE_EXPORT_DIR=${exported})

find_program(VITRINE_NODE NAMES node nodejs)
if(VITRINE_NODE)
    add_test(NAME corpus_export_validator
        COMMAND ${VITRINE_NODE} suites/validate_glb.mjs ${exported}
        WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/tests/e2e)
    set_tests_properties(corpus_export_validator PROPERTIES LABELS corpus TIMEOUT 600
        FIXTURES_REQUIRED exported_corpus SKIP_RETURN_CODE 77)
endif()
