// A line as a rectangle facing the viewer, `width` pixels to each side, six vertices; a dot as a square.
const vec2 corners[6] = vec2[](vec2(0, -1), vec2(1, -1), vec2(1, 1), vec2(0, -1), vec2(1, 1), vec2(0, 1));

// Selects one of the block's 2 ^ push.decimation_shift neighbors by hash: always taking the first would form
// rows when vertices are on a grid.
uint shown_of(uint block)
{
    uint lot = block * 747796405u + 2891336453u;
    lot = (lot ^ (lot >> 16u)) * 2246822519u;
    return (block << push.decimation_shift) + ((lot >> 8u) & ((1u << push.decimation_shift) - 1u));
}

// across: position in the dot or across the line, -1 .. 1.
vec4 segment_corner(vec3 from, vec3 to, float width, int corner, out vec2 across)
{
    vec4 a = image_params.clip_from_centered * vec4(from - image_params.center.xyz, 1.0);
    vec4 b = image_params.clip_from_centered * vec4(to - image_params.center.xyz, 1.0);
    // Ends behind the eye move to just in front of it; w is the view depth relative to the model's size, 1 for
    // orthographic views.
    const float nearest = 1e-4;
    if (a.w < nearest && b.w > nearest) a = mix(a, b, (nearest - a.w) / (b.w - a.w));
    if (b.w < nearest && a.w > nearest) b = mix(b, a, (nearest - b.w) / (a.w - b.w));
    vec2 size = image_params.viewport.xy;
    vec2 direction = (b.xy / b.w - a.xy / a.w) * size;
    float len = length(direction);
    vec2 along = len > 1e-5 ? direction / len : vec2(1.0, 0.0);
    vec2 c = corners[corner];
    bool dot_shape = from == to;
    vec4 p = c.x > 0.5 ? b : a;
    vec2 offset = vec2(-along.y, along.x) * c.y + along * (dot_shape ? c.x * 2.0 - 1.0 : 0.0);
    across = vec2(dot_shape ? c.x * 2.0 - 1.0 : 0.0, c.y);
    p.xy += offset * (2.0 * width) * image_params.center_ray.w / size * p.w;
    return p;
}
