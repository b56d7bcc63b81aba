// The background's parameters from resolve.vert to resolve.frag: values for the whole image and their
// increments per pixel to the right and down. lavapipe reads a uniform in a fragment shader lane by lane, but
// a flat varying only once; flat values are also identical in every rectangle.
struct Linear {
    vec3 start, right, down;
};
BACKGROUND_VARYING(0, vec4, pool); // relative to the center of the backdrop's light; zw: increment per pixel
BACKGROUND_VARYING(1, Linear, direction);    // of the ray
BACKGROUND_VARYING(4, Linear, origin);       // of the ray: position in the shadow map, height of the ground relative to the origin
BACKGROUND_VARYING(7, vec4, background); // linear, premultiplied
BACKGROUND_VARYING(8, vec3, ground); // shadow strength, map units per meter; 1: studio backdrop
BACKGROUND_VARYING(9, vec2, sample_scale); // samples per pixel; BACKGROUND_ONLY: pixels per sample
BACKGROUND_VARYING(10, vec2, clip_per_pixel); // 2 / image size
