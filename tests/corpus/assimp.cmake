find_package(assimp REQUIRED)

vitrine_test(corpus_assimp LABEL corpus TIMEOUT 300
    SOURCES assimp_test.cpp assimp_bvh_test.cpp assimp_comparison.cpp assimp_scene.cpp assimp_differences.cpp
    LINKS loaders_bvh loaders_dae loaders_fbx loaders_md2 loaders_md3 loaders_md5 loaders_ply loaders_stl vitrine_io vitrine_scene vitrine_test_support
          assimp::assimp vitrine::fmt)
