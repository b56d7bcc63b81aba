# Near duplicates among models of the corpus and made shapes.
vitrine_test(corpus_similarity LABEL corpus TIMEOUT 600
    SOURCES similarity_test.cpp gltf_corpus.cpp ../unit/similarity/made_shapes.cpp
    LINKS vitrine_export loaders_worker_program loaders_gltf loaders_obj loaders_ply loaders_scene_similarity server_samples vitrine_io
          vitrine_test_support meshoptimizer::meshoptimizer vitrine::fmt)
