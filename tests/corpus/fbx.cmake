vitrine_test(corpus_fbx_frames LABEL corpus WHOLE
    SOURCES fbx_frames_test.cpp
    LINKS loaders_fbx vitrine_export vitrine_io vitrine_scene vitrine_test_support)

vitrine_test(corpus_fbx LABEL corpus
    SOURCES fbx_files_test.cpp
    LINKS loaders_fbx vitrine_io vitrine_scene vitrine_test_support)
