#version 460
// SAMPLE_MASK: cuts dots out of their squares at each of a pixel's four samples.
layout(location = 0) in vec2 in_across;
layout(location = 1) in vec4 in_color;
layout(location = 0) out vec4 out_color;

bool is_outside(vec2 across) { return dot(across, across) > 1.0; }

void main()
{
#ifdef SAMPLE_MASK
    int inside = 0;
    for (int i = 0; i < 4; ++i)
        inside |= is_outside(interpolateAtSample(in_across, i)) ? 0 : 1 << i;
    gl_SampleMask[0] = inside;
#else
    if (is_outside(in_across)) discard;
#endif
    out_color = vec4(in_color.rgb * in_color.a, in_color.a);
}
