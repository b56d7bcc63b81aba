#pragma once
// Small animated files as text, one per generation of the format.

#include <string_view>

namespace vitrine::test {

// Layers, all kinds of keys and extrapolations, pivots, inherited scales, a mesh with a skin and two targets.
inline constexpr std::string_view moving_fbx_7 = R"(; FBX 7.4.0 project file
FBXHeaderExtension: { FBXHeaderVersion: 1003 FBXVersion: 7400 }
GlobalSettings: { Properties70: {
    P: "UpAxis", "int", "Integer", "",2
    P: "FrontAxis", "int", "Integer", "",1
    P: "FrontAxisSign", "int", "Integer", "",-1
    P: "UnitScaleFactor", "double", "Number", "",2.5
    P: "TimeMode", "enum", "", "",6
} }
Objects: {
    Geometry: 1, "Geometry::g", "Mesh" {
        Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 }
        PolygonVertexIndex: *3 { a: 0,1,-3 }
    }
    Geometry: 2, "Geometry::half", "Shape" { Indexes: *1 { a: 1 } Vertices: *3 { a: 0,0,1 } }
    Geometry: 3, "Geometry::whole", "Shape" { Indexes: *1 { a: 2 } Vertices: *3 { a: 0,0,2 } }
    Deformer: 4, "Deformer::b", "BlendShape" { }
    Deformer: 5, "SubDeformer::c", "BlendShapeChannel" { DeformPercent: 20 FullWeights: *2 { a: 50,100 } }
    Deformer: 6, "Deformer::s", "Skin" { SkinningType: "Linear" }
    Deformer: 7, "SubDeformer::k", "Cluster" { Indexes: *2 { a: 0,1 } Weights: *2 { a: 1,0.5 }
        Transform: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1 }
        TransformLink: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1 } }
    Model: 10, "Model::root", "LimbNode" { Properties70: {
        P: "Lcl Scaling", "Lcl Scaling", "", "A",2,1,1
        P: "RotationPivot", "Vector3D", "Vector", "",1,0,0
        P: "PreRotation", "Vector3D", "Vector", "",0,0,30
        P: "RotationActive", "bool", "", "",1
        P: "RotationOrder", "enum", "", "",4
    } }
    Model: 11, "Model::limb", "LimbNode" { Properties70: { P: "InheritType", "enum", "", "",2 } }
    Model: 12, "Model::skin", "Mesh" { Properties70: {
        P: "InheritType", "enum", "", "",0
        P: "GeometricTranslation", "Vector3D", "Vector", "",0,1,0
        P: "Visibility", "Visibility", "", "A",1
    } }
    AnimationStack: 20, "AnimStack::walk", "" { Properties70: {
        P: "LocalStart", "KTime", "Time", "",0
        P: "LocalStop", "KTime", "Time", "",46186158000
    } }
    AnimationLayer: 21, "AnimLayer::base", "" { }
    AnimationLayer: 22, "AnimLayer::more", "" { Properties70: {
        P: "Weight", "Number", "", "A",50
        P: "BlendMode", "enum", "", "",2
    } }
    AnimationCurveNode: 30, "AnimCurveNode::R", "" { Properties70: { P: "d|X", "Number", "", "A",5 } }
    AnimationCurveNode: 31, "AnimCurveNode::R", "" { }
    AnimationCurveNode: 32, "AnimCurveNode::Weight", "" { }
    AnimationCurveNode: 33, "AnimCurveNode::S", "" { }
    AnimationCurveNode: 34, "AnimCurveNode::DeformPercent", "" { }
    AnimationCurveNode: 35, "AnimCurveNode::T", "" { }
    AnimationCurve: 40, "AnimCurve::", "" { KeyVer: 4009
        KeyTime: *4 { a: 0,11546539500,23093079000,46186158000 }
        KeyValueFloat: *4 { a: 0,90,720,-45.5 }
        KeyAttrFlags: *4 { a: 264,50356488,1032,520 }
        KeyAttrDataFloat: *16 { a: 1,2,218434821,0,3,4,289146117,0,5,6,218434821,0,0,0,0,0 }
        KeyAttrRefCount: *4 { a: 1,1,1,1 }
        Pre-Extrapolation: { Type: M Repetition: 3 }
        Post-Extrapolation: { Type: R Repetition: -1 } }
    AnimationCurve: 41, "AnimCurve::", "" { KeyVer: 4009
        KeyTime: *3 { a: 0,20000000000,40000000000 }
        KeyValueFloat: *3 { a: 0,50,100 }
        KeyAttrFlags: *3 { a: 4,2,258 }
        KeyAttrDataFloat: *12 { a: 0,0,0,0,0,0,0,0,0,0,0,0 }
        KeyAttrRefCount: *3 { a: 1,1,1 }
        Post-Extrapolation: { Type: A Repetition: 2 } }
}
Connections: {
    C: "OO",10,0
    C: "OO",11,10
    C: "OO",12,10
    C: "OO",1,12
    C: "OO",4,1
    C: "OO",5,4
    C: "OO",2,5
    C: "OO",3,5
    C: "OO",6,1
    C: "OO",7,6
    C: "OO",11,7
    C: "OO",21,20
    C: "OO",22,20
    C: "OO",30,21
    C: "OO",31,22
    C: "OO",33,21
    C: "OO",34,21
    C: "OO",35,21
    C: "OP",30,10, "Lcl Rotation"
    C: "OP",31,10, "Lcl Rotation"
    C: "OP",32,22, "Weight"
    C: "OP",33,10, "Lcl Scaling"
    C: "OP",34,5, "DeformPercent"
    C: "OP",35,11, "Lcl Translation"
    C: "OP",40,30, "d|Y"
    C: "OP",41,31, "d|Z"
    C: "OP",41,32, "d|Weight"
    C: "OP",41,33, "d|X"
    C: "OP",41,34, "d|DeformPercent"
    C: "OP",40,35, "d|X"
    C: "OP",41,35, "d|Y"
}
)";

inline constexpr std::string_view moving_fbx_6 = R"(; FBX 6.1.0 project file
FBXHeaderExtension: { FBXVersion: 6100 }
Objects: {
    Model: "Model::box", "Mesh" {
        Properties60: { Property: "Lcl Translation", "Lcl Translation", "A+",1,2,3 }
        Vertices: 0,0,0,1,0,0,0,1,0
        PolygonVertexIndex: 0,1,-3
        Shape: "smile" { Indexes: 1 Vertices: 0,0,1 }
    }
}
Connections: { Connect: "OO", "Model::box", "Model::Scene" }
Takes: {
    Current: "jump"
    Take: "jump" {
        LocalTime: 0,92372316000
        Model: "Model::box" {
            Channel: "Transform" {
                Channel: "T" {
                    Channel: "X" { Default: 1 KeyVer: 4005 KeyCount: 4
                        Key: 0,0,L,20000000000,5,C,n,40000000000,6,U,s,1,2,a,0.25,0.5,46186158000,10,U,a,n
                        Post-Extrapolation: { Type: K } }
                    Channel: "Y" { Default: 4 }
                }
                Channel: "R" { Channel: "Z" { KeyVer: 4005 KeyCount: 2 Key: 0,90,U,t,0.5,0,0,46186158000,0,C,s } }
                Channel: "S" { Channel: "X" { Key: 0,1,U,p,1,2,n,n,46186158000,2,U,b,0,0,r,0.9 } }
            }
            Channel: "smile" { Default: 0 KeyVer: 4005 KeyCount: 2 Key: 0,0,L,46186158000,100,L }
        }
    }
}
)";

inline constexpr std::string_view moving_fbx_5 = R"(; FBX 5.0.0 project file
FBXHeaderExtension: { FBXVersion: 5000 }
Model: "box" {
    Type: "Null"
    Children: "leg"
    Channel: "Transform" {
        Channel: "T" { Channel: "X" { Default: 100 } Channel: "Y" { Default: 200 } Channel: "Z" { Default: 300 } }
    }
}
Model: "leg" { Type: "LimbNode" Channel: "Visibility" { Default: 0 } }
Takes: {
    Take: "jump" {
        LocalTime: 0,46186158000
        Model: "leg" { Channel: "Transform" { Channel: "R" {
            Channel: "X" { KeyVer: 4003 KeyCount: 2 Key: 0,0,U,s,1,2,46186158000,400,C } } } }
    }
}
)";

} // namespace vitrine::test
