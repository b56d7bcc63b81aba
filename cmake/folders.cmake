# The table of source folders: what each may include and link, folders before those that use them. CMake makes one library
# of each, named after its path (loaders/fbx/curves is loaders_fbx_curves); tests/architecture reads the same rows, fails
# on an include that no row allows, on a cycle and on a folder without a row.
#
# vitrine_folder(PATH USES folders... PACKAGES imported targets...). The sources of a folder are compiled in batches, so a name in
# an unnamed namespace means one thing in its folder.

# Text, checksum, error and vector helpers that every module may use.
vitrine_folder(loaders/base
    PACKAGES glm::glm)
# The Scene that every loader produces, and its binary form.
vitrine_folder(loaders/scene
    USES loaders/base)
# Vectorized loops over large arrays: checks, boxes, transforms and skinning of points.
vitrine_folder(loaders/scene/arrays
    USES loaders/base loaders/scene)
# Sampling of clips, poses, extrapolation, frame ranges.
vitrine_folder(loaders/scene/motion
    USES loaders/base loaders/scene)
# Poses made of several clips and of joints turned by hand.
vitrine_folder(loaders/scene/layers
    USES loaders/base loaders/scene loaders/scene/motion)
# Levels of detail, parts and looks of a scene.
vitrine_folder(loaders/scene/parts
    USES loaders/base loaders/scene loaders/scene/motion)
# The joints of humanoids, and clips of one on another.
vitrine_folder(loaders/scene/humanoid
    USES loaders/base loaders/scene loaders/scene/motion)
# CPU skinning, the reference of the compute shaders.
vitrine_folder(loaders/scene/skinning
    USES loaders/scene loaders/scene/arrays loaders/scene/motion)
# Bounding boxes in the static pose, per clip, frame and joint.
vitrine_folder(loaders/scene/bounds
    USES loaders/base loaders/scene loaders/scene/arrays loaders/scene/motion loaders/scene/skinning)
# Triangulation, normals, tangents, conversion of units and axes.
vitrine_folder(loaders/scene/geometry
    USES loaders/base loaders/scene loaders/scene/bounds loaders/scene/motion)
# Validation of a Scene from the loader process.
vitrine_folder(loaders/scene/validation
    USES loaders/base loaders/scene loaders/scene/arrays loaders/scene/bounds loaders/scene/motion)
# The pose and visibility that a thumbnail shows, bones for overlays.
vitrine_folder(loaders/scene/preview
    USES loaders/base loaders/scene loaders/scene/bounds loaders/scene/geometry loaders/scene/motion
        loaders/scene/skinning)
# Several scenes side by side as one.
vitrine_folder(loaders/scene/lineup
    USES loaders/base loaders/scene loaders/scene/bounds loaders/scene/layers loaders/scene/motion loaders/scene/preview
        loaders/scene/skinning)
# What clips do: root motion, looping, feet, faults of keys.
vitrine_folder(loaders/scene/facts
    USES loaders/base loaders/scene loaders/scene/motion loaders/scene/preview)
# Rules of models and clips, profiles of them, and what they find.
vitrine_folder(loaders/scene/checks
    USES loaders/base loaders/scene loaders/scene/bounds loaders/scene/facts loaders/scene/motion loaders/scene/preview
    PACKAGES vitrine::fmt)
# Signatures of surfaces, rigs and motions, by which near duplicates are found.
vitrine_folder(loaders/scene/similarity
    USES loaders/scene loaders/scene/geometry loaders/scene/humanoid loaders/scene/motion loaders/scene/preview
        loaders/scene/skinning)
# Readers of untrusted bytes: cursor, limits, resource names.
vitrine_folder(loaders/io
    USES loaders/base
    PACKAGES vitrine::fmt PkgConfig::utf8proc)
# Text encodings, line reader, number scanning, warning log.
vitrine_folder(loaders/io/text
    USES loaders/base loaders/io loaders/scene
    PACKAGES vitrine::fmt)
# Zip archives.
vitrine_folder(loaders/io/archive
    USES loaders/base loaders/io loaders/io/text
    PACKAGES ${CMAKE_DL_LIBS})
# zlib streams.
vitrine_folder(loaders/io/zlib
    USES loaders/io
    PACKAGES PkgConfig::isal)
# XML.
vitrine_folder(loaders/io/xml
    USES loaders/base loaders/io loaders/io/text
    PACKAGES vitrine::fmt pugixml::pugixml)
# JSON.
vitrine_folder(loaders/io/json
    USES loaders/base loaders/io loaders/io/text
    PACKAGES vitrine::fmt ${CMAKE_DL_LIBS})
# Image decoders and texture lookup.
vitrine_folder(loaders/images
    USES loaders/base loaders/io loaders/io/text loaders/io/zlib loaders/scene
    PACKAGES vitrine::fmt PkgConfig::jpeg PkgConfig::png PkgConfig::tiff PkgConfig::webp)
# Shared by the Quake formats: shaders, skins, frame names.
vitrine_folder(loaders/quake
    USES loaders/base loaders/images loaders/io loaders/io/text loaders/scene loaders/scene/geometry
    PACKAGES vitrine::fmt)
# 3D Studio.
vitrine_folder(loaders/3ds
    USES loaders/base loaders/images loaders/io loaders/io/text loaders/scene loaders/scene/geometry
        loaders/scene/motion
    PACKAGES vitrine::fmt)
# Quake II.
vitrine_folder(loaders/md2
    USES loaders/base loaders/images loaders/io loaders/io/text loaders/quake loaders/scene loaders/scene/geometry
        loaders/scene/motion
    PACKAGES vitrine::fmt)
# Quake III.
vitrine_folder(loaders/md3
    USES loaders/base loaders/images loaders/io loaders/io/text loaders/quake loaders/scene loaders/scene/geometry
    PACKAGES vitrine::fmt)
# Doom 3.
vitrine_folder(loaders/md5
    USES loaders/base loaders/io loaders/io/text loaders/quake loaders/scene loaders/scene/geometry
    PACKAGES vitrine::fmt)
# Wavefront OBJ and MTL.
vitrine_folder(loaders/obj
    USES loaders/base loaders/images loaders/io loaders/io/text loaders/scene loaders/scene/geometry
    PACKAGES vitrine::fmt)
# Biovision BVH.
vitrine_folder(loaders/bvh
    USES loaders/base loaders/io loaders/io/text loaders/scene loaders/scene/geometry
    PACKAGES vitrine::fmt)
# Stanford PLY.
vitrine_folder(loaders/ply
    USES loaders/base loaders/images loaders/io loaders/io/text loaders/scene loaders/scene/geometry
    PACKAGES vitrine::fmt)
# STL.
vitrine_folder(loaders/stl
    USES loaders/base loaders/io loaders/io/text loaders/scene loaders/scene/geometry
    PACKAGES vitrine::fmt)
# glTF containers, JSON objects, accessors.
vitrine_folder(loaders/gltf/document
    USES loaders/base loaders/io loaders/io/json loaders/io/text loaders/scene loaders/scene/arrays loaders/scene/motion
    PACKAGES vitrine::fmt ${CMAKE_DL_LIBS})
# glTF materials and images.
vitrine_folder(loaders/gltf/materials
    USES loaders/gltf/document loaders/images loaders/io loaders/io/text loaders/scene
    PACKAGES vitrine::fmt)
# glTF primitives, Draco, skin influences.
vitrine_folder(loaders/gltf/meshes
    USES loaders/gltf/document loaders/gltf/materials loaders/io loaders/scene loaders/scene/geometry
    PACKAGES vitrine::fmt vitrine::draco)
# glTF nodes, skins, instancing.
vitrine_folder(loaders/gltf/nodes
    USES loaders/base loaders/gltf/document loaders/gltf/meshes loaders/io loaders/scene loaders/scene/motion
        loaders/scene/validation
    PACKAGES vitrine::fmt)
# glTF animations.
vitrine_folder(loaders/gltf/animation
    USES loaders/gltf/document loaders/gltf/nodes loaders/io loaders/scene loaders/scene/motion
    PACKAGES vitrine::fmt)
# glTF 2.0 and GLB.
vitrine_folder(loaders/gltf
    USES loaders/gltf/animation loaders/gltf/document loaders/gltf/materials loaders/gltf/meshes loaders/gltf/nodes
        loaders/io loaders/io/json loaders/io/text loaders/scene loaders/scene/geometry loaders/scene/parts)
# VRM characters and VRMA motions.
vitrine_folder(loaders/vrm
    USES loaders/base loaders/gltf loaders/gltf/document loaders/io loaders/io/json loaders/io/text loaders/scene
        loaders/scene/geometry loaders/scene/motion
    PACKAGES vitrine::fmt)
# Binary and text FBX as a tree of elements.
vitrine_folder(loaders/fbx/container
    USES loaders/base loaders/io loaders/io/text loaders/io/zlib
    PACKAGES vitrine::fmt)
# FBX objects, connections, properties, axes and units.
vitrine_folder(loaders/fbx/document
    USES loaders/fbx/container loaders/io loaders/io/text loaders/scene
    PACKAGES vitrine::fmt)
# FBX node transforms with pivots.
vitrine_folder(loaders/fbx/transforms
    USES loaders/base loaders/fbx/document)
# FBX curves and the tracks baked from them.
vitrine_folder(loaders/fbx/curves
    USES loaders/base loaders/fbx/container loaders/scene)
# FBX stacks, layers, takes.
vitrine_folder(loaders/fbx/animation
    USES loaders/base loaders/fbx/curves loaders/fbx/document loaders/fbx/transforms loaders/io loaders/io/text
    PACKAGES vitrine::fmt)
# FBX node hierarchy, inherit types, visibility.
vitrine_folder(loaders/fbx/nodes
    USES loaders/base loaders/fbx/animation loaders/fbx/document loaders/fbx/transforms loaders/io loaders/io/text
        loaders/scene/motion
    PACKAGES vitrine::fmt)
# FBX materials and textures.
vitrine_folder(loaders/fbx/materials
    USES loaders/base loaders/fbx/document loaders/images loaders/io loaders/io/text loaders/scene
    PACKAGES vitrine::fmt)
# FBX meshes, skins, blend shapes, geometry caches.
vitrine_folder(loaders/fbx/meshes
    USES loaders/base loaders/fbx/animation loaders/fbx/container loaders/fbx/document loaders/fbx/materials
        loaders/fbx/transforms loaders/io loaders/io/text loaders/io/xml loaders/scene loaders/scene/geometry
        loaders/scene/motion
    PACKAGES vitrine::fmt)
# Clips from FBX animation.
vitrine_folder(loaders/fbx/clips
    USES loaders/fbx/animation loaders/fbx/curves loaders/fbx/document loaders/fbx/meshes loaders/fbx/nodes
        loaders/fbx/transforms loaders/io loaders/io/text
    PACKAGES vitrine::fmt)
# Autodesk FBX.
vitrine_folder(loaders/fbx
    USES loaders/base loaders/fbx/animation loaders/fbx/clips loaders/fbx/document loaders/fbx/materials loaders/fbx/meshes
        loaders/fbx/nodes loaders/fbx/transforms loaders/io loaders/io/text loaders/scene loaders/scene/geometry
    PACKAGES vitrine::fmt)
# COLLADA documents, ids, assets, archives.
vitrine_folder(loaders/dae/document
    USES loaders/base loaders/io loaders/io/archive loaders/io/text loaders/io/xml loaders/scene
    PACKAGES vitrine::fmt)
# COLLADA sources and arrays.
vitrine_folder(loaders/dae/sources
    USES loaders/base loaders/dae/document loaders/io
    PACKAGES vitrine::fmt)
# COLLADA animation curves.
vitrine_folder(loaders/dae/curves
    USES loaders/dae/sources loaders/io/text loaders/scene
    PACKAGES vitrine::fmt)
# COLLADA transform stacks.
vitrine_folder(loaders/dae/transforms
    USES loaders/base loaders/dae/curves loaders/dae/document loaders/io/xml loaders/scene loaders/scene/motion
    PACKAGES vitrine::fmt)
# COLLADA animations and their targets.
vitrine_folder(loaders/dae/animation
    USES loaders/base loaders/dae/curves loaders/dae/document loaders/dae/sources loaders/dae/transforms loaders/io
        loaders/io/text
    PACKAGES vitrine::fmt)
# COLLADA meshes and primitives.
vitrine_folder(loaders/dae/geometry
    USES loaders/base loaders/dae/document loaders/dae/sources loaders/io loaders/io/text loaders/scene
        loaders/scene/geometry
    PACKAGES vitrine::fmt)
# COLLADA nodes.
vitrine_folder(loaders/dae/nodes
    USES loaders/dae/animation loaders/dae/document loaders/dae/transforms loaders/io loaders/io/text
    PACKAGES vitrine::fmt)
# COLLADA skins and morphs.
vitrine_folder(loaders/dae/controllers
    USES loaders/base loaders/dae/animation loaders/dae/document loaders/dae/geometry loaders/dae/nodes loaders/io
        loaders/io/text loaders/scene loaders/scene/geometry loaders/scene/motion
    PACKAGES vitrine::fmt)
# COLLADA effects and materials.
vitrine_folder(loaders/dae/materials
    USES loaders/dae/document loaders/dae/geometry loaders/dae/sources loaders/images loaders/io loaders/io/text
        loaders/scene
    PACKAGES vitrine::fmt)
# Instances of COLLADA geometry and controllers.
vitrine_folder(loaders/dae/drawables
    USES loaders/dae/controllers loaders/dae/document loaders/dae/materials loaders/dae/nodes loaders/io loaders/io/text
    PACKAGES vitrine::fmt)
# Clips from COLLADA animations.
vitrine_folder(loaders/dae/clips
    USES loaders/dae/animation loaders/dae/curves loaders/dae/drawables loaders/dae/nodes loaders/dae/transforms
        loaders/scene loaders/scene/motion
    PACKAGES vitrine::fmt)
# COLLADA.
vitrine_folder(loaders/dae
    USES loaders/base loaders/dae/clips loaders/dae/document loaders/io loaders/io/text loaders/scene
        loaders/scene/geometry
    PACKAGES vitrine::fmt)
# PNG encoder.
vitrine_folder(loaders/export/png
    USES loaders/scene
    PACKAGES PkgConfig::deflate)
# Files in memory and helpers that the writers share.
vitrine_folder(loaders/export
    USES loaders/base loaders/scene)
# GLB writer.
vitrine_folder(loaders/export/gltf
    USES loaders/base loaders/export loaders/export/png loaders/scene loaders/scene/bounds loaders/scene/geometry
        loaders/scene/motion
    PACKAGES vitrine::fmt)
# BVH writer.
vitrine_folder(loaders/export/bvh
    USES loaders/scene loaders/scene/motion
    PACKAGES vitrine::fmt)
# FBX writer.
vitrine_folder(loaders/export/fbx
    USES loaders/base loaders/export loaders/export/png loaders/scene loaders/scene/motion
    PACKAGES vitrine::fmt PkgConfig::deflate)
# COLLADA writer.
vitrine_folder(loaders/export/dae
    USES loaders/base loaders/export loaders/export/png loaders/scene loaders/scene/motion
    PACKAGES vitrine::fmt)
# Baked meshes; OBJ, PLY and STL writers.
vitrine_folder(loaders/export/obj
    USES loaders/base loaders/export loaders/export/png loaders/scene loaders/scene/motion loaders/scene/skinning
    PACKAGES vitrine::fmt)
# 3DS writer.
vitrine_folder(loaders/export/threeds
    USES loaders/base loaders/export loaders/export/png loaders/scene loaders/scene/motion loaders/scene/skinning
    PACKAGES vitrine::fmt)
# MD2, MD3 and MD5 writers.
vitrine_folder(loaders/export/quake
    USES loaders/base loaders/export loaders/export/png loaders/scene loaders/scene/bounds loaders/scene/motion
        loaders/scene/skinning
    PACKAGES vitrine::fmt)
# The files of an upload and of a local model: names, groups, descriptors, mappings.
vitrine_folder(loaders/worker/files
    USES loaders/base loaders/io)
# Messages between server and loader process, and the process.
vitrine_folder(loaders/worker/protocol
    USES loaders/base loaders/io loaders/worker/files)
# Starts a loader process, reads and validates its Scene.
vitrine_folder(loaders/worker/client
    USES loaders/base loaders/io loaders/scene loaders/scene/validation loaders/worker/files loaders/worker/protocol
    PACKAGES PkgConfig::seccomp)
# The sandboxed loader process.
vitrine_folder(loaders/worker/child
    USES loaders/base loaders/images loaders/io loaders/io/archive loaders/io/text loaders/scene loaders/scene/bounds
        loaders/scene/geometry loaders/scene/motion loaders/scene/parts loaders/scene/preview loaders/scene/validation
        loaders/worker/files loaders/worker/protocol
    PACKAGES vitrine::fmt PkgConfig::seccomp)
# main() of vitrine-loader and its table of formats.
vitrine_folder(loaders/worker/program
    USES loaders/3ds loaders/base loaders/bvh loaders/dae loaders/fbx loaders/fbx/container loaders/gltf loaders/md2 loaders/md3
        loaders/md5 loaders/obj loaders/ply loaders/stl loaders/vrm loaders/worker/child loaders/worker/protocol)
# View, frame, options and errors of the renderer.
vitrine_folder(vk_renderer/base
    USES loaders/scene loaders/scene/bounds loaders/scene/layers loaders/scene/motion
    PACKAGES vitrine::fmt)
# Vulkan objects: device, memory, buffers, pipelines.
vitrine_folder(vk_renderer/gpu
    USES loaders/base vk_renderer/base
    PACKAGES vitrine::fmt Vulkan::Headers)
# SPIR-V and the structures that C++ and GLSL share.
vitrine_folder(vk_renderer/shaders
    USES vk_renderer/gpu)
# Cameras and automatic framing.
vitrine_folder(vk_renderer/camera
    USES loaders/base loaders/scene loaders/scene/bounds loaders/scene/geometry loaders/scene/lineup
        loaders/scene/motion loaders/scene/preview loaders/scene/skinning vk_renderer/base vk_renderer/shaders
    PACKAGES vitrine::fmt)
# Joint names as glyphs.
vitrine_folder(vk_renderer/labels
    USES loaders/base loaders/scene vk_renderer/base vk_renderer/shaders
    PACKAGES vitrine::fmt)
# Analysis and simplification of meshes before upload.
vitrine_folder(vk_renderer/mesh
    USES loaders/base loaders/scene loaders/scene/geometry loaders/scene/motion
    PACKAGES meshoptimizer::meshoptimizer)
# Mip maps, alpha coverage, texture upload.
vitrine_folder(vk_renderer/textures
    USES loaders/base loaders/scene vk_renderer/gpu vk_renderer/shaders)
# A Scene on the device.
vitrine_folder(vk_renderer/scene
    USES loaders/base loaders/scene loaders/scene/bounds loaders/scene/geometry loaders/scene/motion
        loaders/scene/preview loaders/scene/skinning vk_renderer/base vk_renderer/mesh vk_renderer/shaders vk_renderer/textures
    PACKAGES vitrine::fmt)
# Skinning, bounds, shadow, raster and resolve passes.
vitrine_folder(vk_renderer/passes
    USES loaders/scene/bounds vk_renderer/base vk_renderer/gpu vk_renderer/scene vk_renderer/shaders
        vk_renderer/textures)
# Batches of images: posing, recording, overlays.
vitrine_folder(vk_renderer/frame
    USES loaders/scene loaders/scene/motion loaders/scene/preview loaders/scene/skinning vk_renderer/base
        vk_renderer/camera vk_renderer/gpu vk_renderer/labels vk_renderer/passes vk_renderer/scene vk_renderer/shaders
    PACKAGES vitrine::fmt)
# Ray intersection for picks.
vitrine_folder(vk_renderer/picking
    USES loaders/scene loaders/scene/geometry loaders/scene/motion loaders/scene/skinning vk_renderer/shaders)
# The renderer: scene, view and times to frames.
vitrine_folder(vk_renderer
    USES loaders/scene loaders/scene/skinning vk_renderer/base vk_renderer/camera vk_renderer/frame vk_renderer/gpu
        vk_renderer/passes vk_renderer/picking vk_renderer/scene
    PACKAGES vitrine::fmt)
# PNG, JPEG, WebP, VP8 and VP9.
vitrine_folder(vk_renderer/encode
    USES loaders/base loaders/export/png vk_renderer/base
    PACKAGES PkgConfig::turbojpeg PkgConfig::webpmux PkgConfig::vpx yuv::yuv)
# Tags of assets as stored text, keys of custom fields.
vitrine_folder(api/tags
    USES loaders/base)
# The API: OpenAPI document, values and JSON of responses.
vitrine_folder(api
    USES api/tags loaders/base loaders/scene loaders/scene/bounds loaders/scene/checks loaders/scene/facts loaders/scene/geometry
        loaders/scene/humanoid loaders/scene/layers loaders/scene/motion loaders/scene/parts
    PACKAGES vitrine::fmt re2::re2)
# Files, errors, clocks, work pools, metrics.
vitrine_folder(server/util
    USES loaders/base loaders/io
    PACKAGES vitrine::fmt prometheus-cpp::core Threads::Threads ${CMAKE_DL_LIBS})
# The trace that the work of a thread belongs to.
vitrine_folder(server/tracing
    PACKAGES vitrine::fmt)
# Transports of connections: TCP, TLS, Unix sockets; addresses, peers, deadlines.
vitrine_folder(server/net/transport
    USES loaders/base
    PACKAGES vitrine::fmt prometheus-cpp::core Threads::Threads ${CMAKE_DL_LIBS})
# Trusted reverse proxies, and the clients that they name.
vitrine_folder(server/net/proxies
    USES loaders/base server/net/transport)
# Roles, principals, access tokens, and what routes require of them.
vitrine_folder(server/access
    USES loaders/base server/util
    PACKAGES vitrine::fmt)
# Connections, HTTP, WebSocket and their parsers.
vitrine_folder(server/net
    USES api loaders/base server/access server/net/proxies server/net/transport server/util
    PACKAGES vitrine::fmt Threads::Threads)
# Small requests to other servers.
vitrine_folder(server/http_client
    USES loaders/base server/tracing server/util)
# Connections to the database, and what differs between SQLite and PostgreSQL.
vitrine_folder(server/services/database
    USES loaders/base server/util
    PACKAGES prometheus-cpp::core vitrine::fmt soci::core soci::postgresql soci::sqlite3 SQLite::SQLite3)
# The audit log.
vitrine_folder(server/services/audit
    USES loaders/base server/services/database server/util
    PACKAGES vitrine::fmt vitrine::spdlog Threads::Threads)
# The tables of the database.
vitrine_folder(server/services/schema
    USES server/services/database server/util
    PACKAGES vitrine::fmt)
# What the catalog shows to requests by grants on collections.
vitrine_folder(server/services/visibility
    USES server/access server/services/database
    PACKAGES vitrine::fmt)
# Assets, documents and jobs in the database.
vitrine_folder(server/services/catalog
    USES api api/tags loaders/base loaders/scene loaders/scene/layers loaders/scene/motion server/services/audit
        server/services/database server/services/schema server/services/visibility server/tracing server/util
    PACKAGES vitrine::fmt vitrine::spdlog)
# Access tokens in the database, and in memory.
vitrine_folder(server/services/access
    USES loaders/base server/access server/services/audit server/services/database server/util
    PACKAGES vitrine::fmt vitrine::spdlog Threads::Threads)
# Sign-in by an identity provider: its documents, its ID tokens, the flow.
vitrine_folder(server/services/oidc
    USES loaders/io server/access server/http_client server/services/access server/util
    PACKAGES vitrine::fmt vitrine::spdlog)
# Events of the catalog for subscribers.
vitrine_folder(server/services/events
    USES api loaders/base server/services/catalog server/services/database server/services/visibility server/util
    PACKAGES vitrine::spdlog Threads::Threads)
# Webhooks: their table, and the delivery of events to them.
vitrine_folder(server/services/webhooks
    USES api loaders/io server/services/audit server/services/database server/services/events server/tracing server/util
    PACKAGES prometheus-cpp::core vitrine::fmt vitrine::spdlog Threads::Threads)
# Processes that draw and import, and what they draw for others.
vitrine_folder(server/services/workers
    USES api loaders/base loaders/io server/services/database server/util
    PACKAGES vitrine::fmt vitrine::spdlog)
# Blobs, derived files, scenes.
vitrine_folder(server/services/storage
    USES api loaders/base loaders/scene loaders/scene/geometry loaders/scene/humanoid loaders/scene/layers
        loaders/scene/lineup loaders/scene/motion loaders/scene/parts loaders/scene/preview loaders/scene/skinning
        loaders/scene/validation loaders/worker/client server/services/catalog server/util
    PACKAGES vitrine::fmt vitrine::spdlog ZLIB::ZLIB)
# Blobs and shared derived files in an S3 object store.
vitrine_folder(server/services/s3
    USES loaders/base server/services/catalog server/services/storage server/tracing server/util
    PACKAGES prometheus-cpp::core pugixml::pugixml vitrine::fmt vitrine::spdlog)
# Uploads that arrive in pieces.
vitrine_folder(server/services/uploads
    USES loaders/base server/services/audit server/services/catalog server/services/database server/services/storage
        server/services/visibility server/util
    PACKAGES vitrine::fmt vitrine::spdlog Threads::Threads)
# Notes on assets, and points of surfaces that follow the skin.
vitrine_folder(server/services/notes
    USES api loaders/base loaders/scene loaders/scene/motion loaders/scene/skinning server/services/catalog
        server/services/database server/services/visibility server/util
    PACKAGES vitrine::fmt)
# Tags, collections and their custom fields, changes of many assets, the trash.
vitrine_folder(server/services/organization
    USES api api/tags loaders/base server/services/access server/services/audit server/services/catalog
        server/services/database server/services/storage server/services/visibility server/util
    PACKAGES vitrine::fmt vitrine::spdlog Threads::Threads)
# Vectors of pictures: what a picture looks like, the nearest ones in the database, and the embedder.
vitrine_folder(server/services/vectors
    USES loaders/io server/http_client server/services/database server/services/visibility vk_renderer/base
    PACKAGES vitrine::fmt)
# Several assets as one zip archive.
vitrine_folder(server/services/downloads
    USES loaders/base loaders/io server/services/catalog server/services/storage server/util
    PACKAGES vitrine::fmt ZLIB::ZLIB)
# Moves of a catalog and its blobs to other databases and stores; backups.
vitrine_folder(server/services/moves
    USES loaders/base server/services/database server/services/s3 server/services/schema server/services/storage
        server/util
    PACKAGES prometheus-cpp::core vitrine::fmt)
# Rendering in a process of its own.
vitrine_folder(server/render_process
    USES loaders/base loaders/scene loaders/scene/layers loaders/worker/files loaders/worker/protocol vk_renderer
        vk_renderer/base vk_renderer/mesh
    PACKAGES vitrine::fmt PkgConfig::seccomp Threads::Threads)
# Render threads, images and frame sequences.
vitrine_folder(server/services/rendering
    USES loaders/base loaders/scene loaders/scene/layers loaders/scene/motion loaders/scene/preview server/render_process
        server/services/catalog server/services/storage server/tracing server/util vk_renderer vk_renderer/base
        vk_renderer/camera vk_renderer/encode
    PACKAGES vitrine::fmt vitrine::spdlog)
# Pictures that look like one or like a text, for requests and in the background.
vitrine_folder(server/services/pictures
    USES loaders/base server/services/catalog server/services/rendering server/services/vectors
    PACKAGES prometheus-cpp::core vitrine::fmt vitrine::spdlog Threads::Threads)
# Uploads and import jobs.
vitrine_folder(server/services/importing
    USES api loaders/base loaders/io loaders/scene loaders/scene/bounds loaders/scene/checks loaders/scene/facts
        loaders/scene/geometry loaders/scene/humanoid loaders/scene/layers loaders/scene/preview loaders/scene/similarity
        loaders/worker/client server/services/audit server/services/catalog server/services/rendering server/services/storage
        server/services/uploads server/tracing server/util
    PACKAGES vitrine::fmt vitrine::spdlog)
# Libraries: folders whose models are assets without a copy.
vitrine_folder(server/services/libraries
    USES loaders/base loaders/io server/services/audit server/services/catalog server/services/database
        server/services/importing server/services/storage server/util
    PACKAGES vitrine::fmt vitrine::spdlog Threads::Threads)
# Bounds, poses, meshes and exports that requests compute.
vitrine_folder(server/services/scene_queries
    USES api loaders/export/gltf loaders/export/obj loaders/scene loaders/scene/bounds loaders/scene/checks
        loaders/scene/geometry loaders/scene/humanoid loaders/scene/layers loaders/scene/lineup loaders/scene/motion
        loaders/scene/similarity loaders/scene/skinning server/services/catalog server/services/importing
        server/services/storage server/util
    PACKAGES vitrine::fmt)
# Responses that are made after their requests were answered.
vitrine_folder(server/services/response_jobs
    USES api loaders/base server/services/database server/services/storage server/tracing server/util
    PACKAGES prometheus-cpp::core vitrine::fmt vitrine::spdlog Threads::Threads)
# Composition of the services.
vitrine_folder(server/services
    USES loaders/base loaders/scene/validation server/services/access server/services/audit server/services/catalog
        server/services/database server/services/events server/services/importing server/services/libraries
        server/services/notes server/services/oidc server/services/organization server/services/pictures
        server/services/rendering server/services/response_jobs server/services/s3 server/services/storage
        server/services/uploads server/services/webhooks server/services/workers server/util
    PACKAGES prometheus-cpp::core vitrine::fmt vitrine::spdlog)
# What share links and signed URLs show, and streams of those whose access ends.
vitrine_folder(server/sharing
    USES api server/access server/net server/services/access server/services/database server/services/visibility server/util
    PACKAGES vitrine::fmt)
# Limits of requests per time.
vitrine_folder(server/routing/rates
    USES loaders/base loaders/io
    PACKAGES vitrine::fmt)
# Header fields of requests and responses.
vitrine_folder(server/routing/fields
    USES loaders/base server/net
    PACKAGES vitrine::fmt)
# Route matching, dispatch, problems.
vitrine_folder(server/routing
    USES api loaders/base server/access server/net server/net/transport server/routing/fields server/routing/rates
        server/services server/services/audit server/services/catalog server/services/storage server/services/visibility
        server/services/workers server/sharing server/tracing server/util
    PACKAGES prometheus-cpp::core PkgConfig::brotli PkgConfig::deflate vitrine::fmt vitrine::spdlog)
# Links, by which one process shows live previews of another.
vitrine_folder(server/link
    USES api loaders/base server/net server/net/transport server/services/workers
    PACKAGES prometheus-cpp::core vitrine::fmt vitrine::spdlog)
# Live preview.
vitrine_folder(server/preview
    USES api loaders/io loaders/scene loaders/scene/bounds loaders/scene/layers loaders/scene/motion loaders/scene/parts
        loaders/scene/skinning server/net server/routing server/services/catalog server/services/rendering server/tracing
        server/util vk_renderer vk_renderer/base vk_renderer/camera vk_renderer/encode vk_renderer/mesh
    PACKAGES vitrine::fmt)
# Bodies of uploads, resumable uploads by tus, and requests that name them.
vitrine_folder(server/uploads
    USES api loaders/base loaders/io server/net server/routing server/services server/services/storage server/services/uploads server/util
    PACKAGES vitrine::fmt prometheus-cpp::core)
# Clients of the REST API in other languages.
vitrine_folder(clients)
# The Model Context Protocol.
vitrine_folder(server/mcp
    USES api loaders/io server/net server/routing server/services/workers server/sharing
    PACKAGES vitrine::fmt)
# Who sends a request; access tokens.
vitrine_folder(server/handlers/access
    USES api server/access server/net server/routing server/services server/services/access server/services/audit
        server/services/oidc server/util
    PACKAGES vitrine::fmt)
# Share links and signed URLs.
vitrine_folder(server/handlers/sharing
    USES api loaders/base server/access server/handlers/access server/net server/routing server/services
    PACKAGES vitrine::fmt)
# Sign-in by an identity provider, and the approval of devices.
vitrine_folder(server/handlers/sign_on
    USES server/access server/handlers/access server/net server/routing server/services/oidc
    PACKAGES vitrine::fmt)
# Webhooks and their deliveries.
vitrine_folder(server/handlers/webhooks
    USES api loaders/base server/net server/routing server/services server/services/events server/services/webhooks
    PACKAGES vitrine::fmt)
# Notes on assets.
vitrine_folder(server/handlers/notes
    USES loaders/base loaders/scene server/routing server/services/notes)
# Tags, collections, saved searches, changes of many assets, the trash.
vitrine_folder(server/handlers/organization
    USES api api/tags loaders/base server/net server/routing server/services/catalog server/services/organization
        server/services/visibility server/util vk_renderer/camera
    PACKAGES vitrine::fmt)
# Downloads of several assets.
vitrine_folder(server/handlers/downloads
    USES loaders/base server/net server/routing server/routing/fields server/services/downloads
        server/services/scene_queries server/tracing
    PACKAGES vitrine::fmt vitrine::spdlog)
# Libraries of folders, by their routes.
vitrine_folder(server/handlers/libraries
    USES api server/access server/net server/routing server/services server/services/libraries
    PACKAGES vitrine::fmt)
# Requests that prefer a response later.
vitrine_folder(server/handlers/deferred
    USES api loaders/base server/routing server/services/response_jobs server/services/storage server/services/workers
    PACKAGES vitrine::fmt vitrine::spdlog)
# Pages of the documentation, made from docs/ and api/.
vitrine_folder(server/guide)
# The table of routes, one function per route.
vitrine_folder(server/handlers
    USES api clients loaders/base loaders/export/png loaders/io loaders/scene loaders/scene/checks loaders/scene/geometry
        loaders/scene/humanoid loaders/scene/layers loaders/scene/lineup loaders/scene/motion loaders/scene/parts
        loaders/scene/skinning server/guide server/handlers/access server/handlers/deferred server/handlers/downloads
        server/handlers/libraries server/handlers/notes server/handlers/organization server/handlers/sharing
        server/handlers/sign_on server/handlers/webhooks server/link server/mcp server/net server/preview server/routing
        server/routing/fields server/services server/services/audit server/services/catalog server/services/database server/services/events
        server/services/organization server/services/pictures server/services/rendering server/services/scene_queries
        server/services/storage server/services/visibility server/services/workers server/tracing server/uploads server/util
        vk_renderer/base vk_renderer/camera vk_renderer/encode
    PACKAGES vitrine::fmt vitrine::spdlog prometheus-cpp::core)
# Configuration and the composition root.
vitrine_folder(server
    USES api loaders/base loaders/io loaders/io/text loaders/scene/checks loaders/worker/client server/access server/handlers
        server/http_client server/link server/net server/net/proxies server/net/transport server/preview server/routing
        server/routing/rates server/services server/services/database server/services/importing server/services/libraries
        server/services/oidc server/services/rendering server/services/s3 server/services/vectors server/services/webhooks
        server/services/workers server/tracing server/util vk_renderer
    PACKAGES CLI11::CLI11 prometheus-cpp::core vitrine::fmt vitrine::spdlog)
# The sample library.
vitrine_folder(server/samples
    USES loaders/base loaders/export loaders/export/bvh loaders/export/dae loaders/export/fbx loaders/export/gltf
        loaders/export/obj loaders/export/quake loaders/export/threeds loaders/scene loaders/scene/motion)
# Progress lines on a terminal.
vitrine_folder(server/cli/terminal
    USES loaders/base
    PACKAGES vitrine::fmt)
# Commands that move, back up and restore a server's data.
vitrine_folder(server/cli/moves
    USES server server/cli/terminal server/services/database server/services/moves server/util
    PACKAGES vitrine::fmt CLI11::CLI11)
# Commands that manage who may use a server.
vitrine_folder(server/cli/access
    USES loaders/base server server/access server/http_client server/services/access server/services/audit server/services/database
    PACKAGES vitrine::fmt CLI11::CLI11)
# The graphics cards and Vulkan drivers of this machine.
vitrine_folder(server/cli/devices
    USES loaders/base server vk_renderer
    PACKAGES vitrine::fmt)
# Commands of vitrine.
vitrine_folder(server/cli
    USES api loaders/base loaders/export/gltf loaders/export/obj loaders/io loaders/scene loaders/scene/checks
        loaders/scene/geometry loaders/scene/humanoid loaders/scene/layers loaders/scene/lineup loaders/scene/motion
        loaders/scene/parts loaders/scene/preview loaders/scene/skinning loaders/scene/validation
        loaders/worker/client server server/cli/access server/cli/devices server/cli/moves server/cli/terminal server/net server/render_process server/samples server/access server/services/access
        server/services/audit server/services/rendering server/util vk_renderer vk_renderer/base vk_renderer/camera vk_renderer/encode
    PACKAGES vitrine::fmt CLI11::CLI11)

# Groups for tests and tools.
add_library(vitrine_loaders INTERFACE)
target_link_libraries(vitrine_loaders INTERFACE loaders_3ds loaders_bvh loaders_dae loaders_fbx loaders_gltf loaders_md2 loaders_md3
    loaders_md5 loaders_obj loaders_ply loaders_stl loaders_vrm)
add_library(vitrine_scene INTERFACE)
target_link_libraries(vitrine_scene INTERFACE loaders_scene_preview loaders_scene_validation loaders_scene_geometry)
add_library(vitrine_io INTERFACE)
target_link_libraries(vitrine_io INTERFACE loaders_io_archive loaders_io_json loaders_io_text loaders_io_xml)
add_library(vitrine_export INTERFACE)
target_link_libraries(vitrine_export INTERFACE loaders_export_bvh loaders_export_dae loaders_export_fbx loaders_export_gltf loaders_export_obj
    loaders_export_quake loaders_export_threeds)
