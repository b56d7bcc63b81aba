// What is behind the model, as resolve.vert hands it to resolve.frag: values of the whole picture, and what a pixel to
// the right or down adds to them. lavapipe reads a uniform in a fragment shader lane by lane, a flat varying once; and
// what is not interpolated is the same whatever rectangle is drawn.
struct Linear {
    vec3 start, right, down;
};
BACKGROUND_VARYING(0, vec4, pool);           // from the middle of the backdrop's light; zw: what a pixel adds
BACKGROUND_VARYING(1, Linear, direction);    // of the ray
BACKGROUND_VARYING(4, Linear, origin);       // of the ray: in the shadow's map, and how far below it the ground is
BACKGROUND_VARYING(7, vec4, background);     // linear, premultiplied
BACKGROUND_VARYING(8, vec3, ground);         // the shadow's strength, map units a metre; 1: the studio's backdrop
BACKGROUND_VARYING(9, vec2, texel);          // samples of a pixel, as a share of their image; BACKGROUND_ONLY: pixels of a sample
BACKGROUND_VARYING(10, vec2, clip_per_pixel); // 2 / the picture's size
