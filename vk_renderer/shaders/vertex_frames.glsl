// Vertex frames (scene::VertexFrames) of skin.comp, which defines the buffers.

// Interpolates between the two frames at `at` in the values.
void frame_at(SkinNInstance instance, uint offset, uint at, out vec3 position, out vec3 normal)
{
    uint f = min(uint(value_at(at)), instance.frame_count - 1u);
    uint g = min(uint(value_at(at + 1u)), instance.frame_count - 1u);
    float fraction = value_at(at + 2u);
    uvec4 a = TEXEL(frame_vertices, offset + f * instance.frame_stride);
    uvec4 b = TEXEL(frame_vertices, offset + g * instance.frame_stride);
    position = mix(uintBitsToFloat(a.xyz), uintBitsToFloat(b.xyz), fraction);
    normal = mix(normal_of(a), normal_of(b), fraction);
}

void apply_vertex_frame(SkinNInstance instance, uint vertex, uint value, inout vec3 position, inout vec3 normal)
{
    if (instance.frame_count == 0u) return;
    uint at = value + instance.frame_value;
    uint offset = instance.first_frame + vertex - instance.first_vertex;
    frame_at(instance, offset, at, position, normal);
    float over_weight = value_at(at + 6u);
    if (over_weight <= 0.0) return;
    vec3 over_position, over_normal;
    frame_at(instance, offset, at + 3u, over_position, over_normal);
    position = mix(position, over_position, over_weight);
    normal = mix(normal, over_normal, over_weight);
}
