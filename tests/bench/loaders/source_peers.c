/* The readers that come as one file each, as their authors have them built into a program. */

#ifdef VITRINE_HAS_FAST_OBJ
#define FAST_OBJ_IMPLEMENTATION
#include <fast_obj.h>
#endif
#ifdef VITRINE_HAS_CGLTF
#define CGLTF_IMPLEMENTATION
#include <cgltf.h>
#endif
#ifdef VITRINE_HAS_UFBX
#include <ufbx.c>
#endif

typedef int source_peers_may_be_none;
