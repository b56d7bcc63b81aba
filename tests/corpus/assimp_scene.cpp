#include "tests/corpus/assimp_scene.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>

namespace vitrine::test {
namespace {

// Row-major to column-major.
glm::dmat4 to_glm(const aiMatrix4x4& m)
{
    return glm::transpose(glm::dmat4(m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4,
                                     m.d1, m.d2, m.d3, m.d4));
}

glm::dvec3 to_glm(const aiVector3D& v)
{
    return {v.x, v.y, v.z};
}

glm::dmat4 local_at(const aiNodeAnim& channel, std::size_t key)
{
    const auto last = [key](unsigned count) { return std::min<std::size_t>(key, count - 1); };
    const aiQuaternion q = channel.mRotationKeys[last(channel.mNumRotationKeys)].mValue;
    const glm::dvec3 at = to_glm(channel.mPositionKeys[last(channel.mNumPositionKeys)].mValue);
    return glm::translate(glm::dmat4(1.0), at) * glm::mat4_cast(glm::dquat(q.w, q.x, q.y, q.z));
}

void for_each_node(const aiNode& node, const std::function<void(const aiNode&)>& visit)
{
    visit(node);
    for (const aiNode* child : std::span(node.mChildren, node.mNumChildren))
        for_each_node(*child, visit);
}

} // namespace

AssimpScene::AssimpScene(const std::filesystem::path& file)
{
    importer_.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
    importer_.SetPropertyBool(AI_CONFIG_IMPORT_FBX_OPTIMIZE_EMPTY_ANIMATION_CURVES, false);
    importer_.SetPropertyBool(AI_CONFIG_IMPORT_MD3_HANDLE_MULTIPART, false);
    importer_.SetPropertyBool(AI_CONFIG_IMPORT_MD5_NO_ANIM_AUTOLOAD, true);
    importer_.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
    scene_ = importer_.ReadFile(file.string(), aiProcess_Triangulate);
}

void AssimpScene::add_globals(const aiNode& node, const glm::dmat4& parent, const Locals& locals,
                              Globals& globals) const
{
    const auto animated = locals.find(node.mName.C_Str());
    const glm::dmat4 local = animated == locals.end() ? to_glm(node.mTransformation) : animated->second;
    const glm::dmat4 global = &node == scene_->mRootNode ? glm::dmat4(1.0) : parent * local;
    globals.emplace(&node, global);
    for (const aiNode* child : std::span(node.mChildren, node.mNumChildren))
        add_globals(*child, global, locals, globals);
}

// v' = sum of weight * global(joint) * offset * v; a vertex without weights follows the node.
std::vector<glm::dvec3> AssimpScene::positions(const aiMesh& mesh, const aiNode& node,
                                               const Globals& globals) const
{
    std::vector<glm::dvec4> skinned(mesh.mNumVertices, glm::dvec4(0.0));
    for (const aiBone* bone : std::span(mesh.mBones, mesh.mNumBones)) {
        const auto joint = globals.find(scene_->mRootNode->FindNode(bone->mName));
        if (joint == globals.end()) continue;
        const glm::dmat4 matrix = joint->second * to_glm(bone->mOffsetMatrix);
        for (const aiVertexWeight& w : std::span(bone->mWeights, bone->mNumWeights)) {
            const glm::dvec3 moved(matrix * glm::dvec4(to_glm(mesh.mVertices[w.mVertexId]), 1.0));
            skinned[w.mVertexId] += glm::dvec4(moved, 1.0) * double{w.mWeight};
        }
    }
    std::vector<glm::dvec3> all;
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
        if (skinned[v].w > 0.0) {
            all.emplace_back(skinned[v] / skinned[v].w);
        } else {
            all.emplace_back(globals.at(&node) * glm::dvec4(to_glm(mesh.mVertices[v]), 1.0));
        }
    }
    return all;
}

std::vector<glm::dvec3> AssimpScene::corners_with(const Locals& locals) const
{
    Globals globals;
    add_globals(*scene_->mRootNode, glm::dmat4(1.0), locals, globals);
    std::vector<glm::dvec3> corners;
    for (const auto& [node, global] : globals) {
        for (const unsigned index : std::span(node->mMeshes, node->mNumMeshes)) {
            const aiMesh& mesh = *scene_->mMeshes[index];
            const auto places = positions(mesh, *node, globals);
            for (const aiFace& face : std::span(mesh.mFaces, mesh.mNumFaces)) {
                if (face.mNumIndices != 3) continue;
                for (const unsigned corner : std::span(face.mIndices, 3))
                    corners.push_back(places[corner]);
            }
        }
    }
    return corners;
}

std::vector<glm::dvec3> AssimpScene::corners_at(const AssimpScene& animation, std::size_t key) const
{
    Locals locals;
    const aiAnimation& clip = *animation.scene_->mAnimations[0];
    for (const aiNodeAnim* channel : std::span(clip.mChannels, clip.mNumChannels))
        locals.emplace(channel->mNodeName.C_Str(), local_at(*channel, key));
    return corners_with(locals);
}

std::map<std::string, glm::dvec3> AssimpScene::nodes_at(std::size_t key) const
{
    Locals locals;
    const aiAnimation& clip = *scene_->mAnimations[0];
    for (const aiNodeAnim* channel : std::span(clip.mChannels, clip.mNumChannels))
        locals.emplace(channel->mNodeName.C_Str(), local_at(*channel, key));
    std::map<const aiNode*, glm::dmat4> globals;
    std::map<std::string, glm::dvec3> positions;
    for_each_node(*scene_->mRootNode, [&](const aiNode& node) {
        const auto animated = locals.find(node.mName.C_Str());
        const glm::dmat4 local = animated == locals.end() ? to_glm(node.mTransformation) : animated->second;
        const glm::dmat4 above = node.mParent ? globals.at(node.mParent) : glm::dmat4(1.0);
        positions[node.mName.C_Str()] = glm::dvec3((globals[&node] = above * local)[3]);
    });
    return positions;
}

std::set<std::string> AssimpScene::joints() const
{
    std::set<std::string> names;
    for (const aiMesh* mesh : std::span(scene_->mMeshes, scene_->mNumMeshes)) {
        for (const aiBone* bone : std::span(mesh->mBones, mesh->mNumBones)) {
            const std::span weights(bone->mWeights, bone->mNumWeights);
            if (std::ranges::any_of(weights, [](const aiVertexWeight& w) { return w.mWeight > 0.0f; }))
                names.insert(bone->mName.C_Str());
        }
    }
    return names;
}

std::set<std::string> AssimpScene::nodes_below(const std::string& name) const
{
    std::set<std::string> names;
    const aiNode* top = scene_->mRootNode->FindNode(name.c_str());
    if (!top) return names;
    for_each_node(*top, [&](const aiNode& node) {
        if (&node != top) names.insert(node.mName.C_Str());
    });
    return names;
}

std::vector<AssimpClip> AssimpScene::clips() const
{
    std::vector<AssimpClip> found;
    for (const aiAnimation* clip : std::span(scene_->mAnimations, scene_->mNumAnimations)) {
        const double rate = clip->mTicksPerSecond > 0.0 ? clip->mTicksPerSecond : 25.0;
        if (clip->mNumChannels + clip->mNumMorphMeshChannels > 0)
            found.push_back({clip->mName.C_Str(), clip->mDuration / rate});
    }
    return found;
}

} // namespace vitrine::test
