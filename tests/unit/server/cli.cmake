vitrine_test(unit_cli LABEL unit NOT_SANITIZED
    SOURCES cli_pose_choice_test.cpp cli_settling_test.cpp cli_view_choice_test.cpp
    LINKS server_cli vitrine_scene loaders_worker_client vk_renderer)
