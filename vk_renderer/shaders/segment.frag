#version 460
#ifdef EACH_SAMPLE
layout(location = 0) sample in vec2 in_across;
#else
layout(location = 0) in vec2 in_across;
#endif
layout(location = 1) in vec4 in_color;
layout(location = 0) out vec4 out_color;

void main()
{
    if (dot(in_across, in_across) > 1.0) discard;
    out_color = vec4(in_color.rgb * in_color.a, in_color.a);
}
