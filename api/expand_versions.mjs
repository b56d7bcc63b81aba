// Reads of an asset exist for each of its versions too: adds the paths /v1/assets/{id}/versions/{n}/... to the API document, each with the
// operation of the path without the version and the parameter Version. The server maps them in the same way (routing/match_route.cpp).
const prefix = '/v1/assets/{id}/';

export function expandVersions(document) {
  if (!document.paths) return document;
  const paths = {};
  for (const [path, item] of Object.entries(document.paths)) {
    paths[path] = item;
    if (!path.startsWith(prefix) || path.startsWith(`${prefix}versions`) || !item.get) continue;
    const { operationId, parameters = [] } = item.get;
    paths[`${prefix}versions/{n}/${path.slice(prefix.length)}`] = {
      parameters: item.parameters,
      get: { ...item.get, operationId: `${operationId}OfVersion`, parameters: [{ $ref: '#/components/parameters/Version' }, ...parameters] },
    };
  }
  return { ...document, paths };
}
