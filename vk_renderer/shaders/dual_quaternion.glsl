// Blends dual quaternions and converts them to a matrix, see loaders/scene/motion/dual_quaternion.hpp. Used
// by skin.comp, which defines Rows, dqs_palette and NON_RIGID.

// Quaternions are x y z w.
vec4 product(vec4 a, vec4 b)
{
    return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

// Rows of the rotation.
mat3 rows_of(vec4 q)
{
    vec3 q2 = q.xyz + q.xyz;
    vec3 x = q.x * q2;
    vec2 y = q.y * q2.yz;
    float z = q.z * q2.z;
    vec3 w = q.w * q2;
    return mat3(1.0 - (y.x + z), x.y - w.z, x.z + w.y,
                x.y + w.z, 1.0 - (x.x + z), y.y - w.x,
                x.z - w.y, y.y + w.x, 1.0 - (x.x + y.x));
}

// The weighted sum of a vertex's influences. The first is the heaviest; the others are negated if necessary
// to match its hemisphere.
struct Blend {
    vec4 pivot, real, dual;
    vec3 x, y, z; // rows of the stretch
    float sum, magnitude; // of the weights
};

const Blend no_blend = Blend(vec4(0.0), vec4(0.0), vec4(0.0), vec3(0.0), vec3(0.0), vec3(0.0), 0.0, 0.0);

// first: texel of the entry
void add(inout Blend blend, int first, float weight)
{
    vec4 q = FLOATS(dqs_palette, first);
    float towards = dot(q, blend.pivot) < 0.0 ? -weight : weight;
    blend.real += towards * q;
    blend.dual += towards * FLOATS(dqs_palette, first + 1);
    blend.sum += weight;
    blend.magnitude += abs(weight);
    if (NON_RIGID) {
        blend.x += weight * FLOATS(dqs_palette, first + 2).xyz;
        blend.y += weight * FLOATS(dqs_palette, first + 3).xyz;
        blend.z += weight * FLOATS(dqs_palette, first + 4).xyz;
    }
}

Rows rows_of(Blend blend)
{
    float scale = inversesqrt(max(dot(blend.real, blend.real), 1e-30));
    vec4 q = blend.real * scale;
    vec3 moved = 2.0 * scale * product(blend.dual, vec4(-q.xyz, q.w)).xyz;
    mat3 r = rows_of(q);
    if (NON_RIGID) {
        float share = 1.0 / blend.sum;
        mat3 stretch = mat3(blend.x, blend.y, blend.z) * share;
        r = stretch * r; // both in rows: the transpose of rotation times stretch
    }
    return Rows(vec4(r[0], moved.x), vec4(r[1], moved.y), vec4(r[2], moved.z));
}
