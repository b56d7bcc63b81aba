#pragma once
// A document with many features, for tests that corrupt it.

#include <string>

namespace vitrine::dae::test {

inline const std::string everything_document = R"xml(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="x" version="1.4.1"><asset><unit meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_images><image id="i"><init_from>p.bmp</init_from></image></library_images>
<library_materials><material id="m"><instance_effect url="#e"><setparam ref="c"><float4>1 0 0 1</float4></setparam></instance_effect></material></library_materials>
<library_effects><effect id="e"><profile_COMMON><newparam sid="f"><surface type="2D"><init_from>i</init_from></surface></newparam>
<newparam sid="s"><sampler2D><source>f</source><wrap_s>CLAMP</wrap_s></sampler2D></newparam><newparam sid="c"><float4>0 1 0 1</float4></newparam>
<technique><phong><emission><param ref="c"/></emission><diffuse><texture texture="s" texcoord="UV"/></diffuse><transparent opaque="RGB_ZERO"><color>.5 .5 .5 1</color></transparent><transparency><float>.5</float></transparency></phong></technique></profile_COMMON></effect></library_effects>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array><technique_common><accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<source id="t"><float_array id="ta" count="4">0 0 1 1</float_array><technique_common><accessor source="#ta" count="2" stride="2"><param name="S" type="float"/><param name="T" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist material="y" count="1"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="TEXCOORD" source="#t" offset="1" set="0"/><vcount>4</vcount><p>0 0 1 1 2 0 3 1</p></polylist>
<polygons count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p><ph><p>0 1 2 3</p><h>0 2 1</h></ph></polygons>
<tristrips count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 3 2</p></tristrips><lines count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1</p></lines></mesh></geometry>
<geometry id="h"><mesh><source id="q"><float_array id="qa" count="12">0 0 1 1 0 0 1 1 0 0 1 0</float_array><technique_common><accessor source="#qa" count="4" stride="3"/></technique_common></source><vertices id="w"><input semantic="POSITION" source="#q"/></vertices></mesh></geometry></library_geometries>
<library_controllers><controller id="o"><morph source="#g"><source id="mt"><IDREF_array count="1">h</IDREF_array></source><source id="mw"><float_array id="mwa" count="1">.5</float_array><technique_common><accessor source="#mwa" count="1"/></technique_common></source><targets><input semantic="MORPH_TARGET" source="#mt"/><input semantic="MORPH_WEIGHT" source="#mw"/></targets></morph></controller>
<controller id="k"><skin source="#o"><bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix><source id="j"><Name_array count="2">A B</Name_array></source>
<source id="b"><float_array id="ba" count="32">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0 0 1 0 0 0 0 1 -5 0 0 0 1</float_array><technique_common><accessor source="#ba" count="2" stride="16"><param type="float4x4"/></accessor></technique_common></source>
<source id="wt"><float_array id="wa" count="2">1 .5</float_array><technique_common><accessor source="#wa" count="2"/></technique_common></source><joints><input semantic="JOINT" source="#j"/><input semantic="INV_BIND_MATRIX" source="#b"/></joints>
<vertex_weights count="4"><input semantic="JOINT" source="#j" offset="0"/><input semantic="WEIGHT" source="#wt" offset="1"/><vcount>1 2 1 0</vcount><v>0 0 0 1 1 1 -1 0</v></vertex_weights></skin></controller></library_controllers>
<library_animations><animation id="a"><source id="ti"><float_array id="tia" count="3">0 1 2</float_array><technique_common><accessor source="#tia" count="3"/></technique_common></source><source id="vo"><float_array id="voa" count="3">0 270 1</float_array><technique_common><accessor source="#voa" count="3"/></technique_common></source>
<source id="ta2"><float_array id="tan" count="6">.3 0 1 9 2 9</float_array><technique_common><accessor source="#tan" count="3" stride="2"/></technique_common></source><source id="ki"><Name_array count="3">BEZIER STEP LINEAR</Name_array></source>
<sampler id="sa" pre_behavior="CYCLE" post_behavior="OSCILLATE"><input semantic="INPUT" source="#ti"/><input semantic="OUTPUT" source="#vo"/><input semantic="INTERPOLATION" source="#ki"/><input semantic="IN_TANGENT" source="#ta2"/><input semantic="OUT_TANGENT" source="#ta2"/></sampler>
<channel source="#sa" target="nb/r.ANGLE"/><channel source="#sa" target="nb/s.X"/><channel source="#sa" target="nc/m(3)(0)"/><channel source="#sa" target="mwa(0)"/></animation></library_animations>
<library_animation_clips><animation_clip start="0.5" end="1.5"><instance_animation url="#a"/></animation_clip></library_animation_clips>
<library_nodes><node id="l"><instance_geometry url="#g"/></node></library_nodes>
<library_visual_scenes><visual_scene id="z"><node id="na" sid="A" type="JOINT"><translate>1 2 3</translate><node id="nb" sid="B" type="JOINT"><skew sid="k">10 0 1 0 1 0 0</skew><scale sid="s">1 1 1</scale><rotate sid="r">0 0 1 30</rotate></node></node>
<node id="nc"><matrix sid="m">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix><lookat>1 2 3 4 5 6 0 1 0</lookat><instance_controller url="#k"><skeleton>#na</skeleton><bind_material><technique_common><instance_material symbol="y" target="#m"><bind_vertex_input semantic="UV" input_semantic="TEXCOORD" input_set="0"/></instance_material></technique_common></bind_material></instance_controller></node>
<node><instance_node url="#l"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#z"/></scene></COLLADA>
)xml";

} // namespace vitrine::dae::test
