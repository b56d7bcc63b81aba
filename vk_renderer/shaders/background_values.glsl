// The values of background.glsl, from ImageParams as `image_params` and ResolvePushConstants as `push`.
// BACKGROUND_VALUE(name): the variable that holds one.
void write_background()
{
    vec2 pixel = push.clip_per_pixel; // clip is -1 .. 1, y down
    vec3 right = image_params.ray_x.xyz * pixel.x, down = image_params.ray_y.xyz * pixel.y;
    vec3 corner = -image_params.ray_x.xyz - image_params.ray_y.xyz;
    float turns = image_params.eye.w, moves = 1.0 - turns; // perspective rays differ in direction, orthographic rays in origin
    BACKGROUND_VALUE(direction) = Linear(image_params.center_ray.xyz + turns * corner, turns * right, turns * down);
    vec3 origin = image_params.eye.xyz + moves * corner;
    vec3 scale = moves * vec3(image_params.shadow_map.zz, -1.0);
    vec2 in_map = (origin.xz - image_params.shadow_map.xy) * image_params.shadow_map.z + 0.5;
    BACKGROUND_VALUE(origin) = Linear(vec3(in_map, image_params.ground.x - origin.y), scale * right.xzy, scale * down.xzy);
    vec2 wide = vec2(min(image_params.viewport.x * image_params.viewport.w, 1.5), 1.0);
    BACKGROUND_VALUE(pool) = vec4(vec2(0.05, 0.12) - wide, wide * pixel);
    BACKGROUND_VALUE(background) = image_params.background;
    BACKGROUND_VALUE(ground) = vec3(image_params.ground.w * image_params.ground.y, image_params.shadow_map.z, image_params.backdrop.x);
    BACKGROUND_VALUE(sample_scale) = push.sample_scale;
    BACKGROUND_VALUE(clip_per_pixel) = pixel;
}
