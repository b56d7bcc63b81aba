vitrine_test(unit_scene_json LABEL unit
    SOURCES json_text_test.cpp pose_json_test.cpp resources_test.cpp scene_json_test.cpp skeleton_json_test.cpp user_clips_test.cpp
    LINKS api vitrine_test_support)
