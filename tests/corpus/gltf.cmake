vitrine_test(corpus_gltf LABEL corpus TIMEOUT 300
    SOURCES gltf_test.cpp gltf_reference_test.cpp gltf_corpus.cpp
    LINKS loaders_gltf vitrine_io vitrine_test_support vitrine::fmt)
