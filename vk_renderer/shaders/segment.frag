#version 460
#ifdef EACH_SAMPLE
layout(location = 0) sample in vec2 in_across;
#else
layout(location = 0) in vec2 in_across;
#endif
layout(location = 1) in vec4 in_colour;
layout(location = 0) out vec4 out_colour;

void main()
{
    if (dot(in_across, in_across) > 1.0) discard;
    out_colour = vec4(in_colour.rgb * in_colour.a, in_colour.a);
}
