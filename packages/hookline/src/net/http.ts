// Node's HTTP server. An `import` of `node:http` reads all of its exports, and so loads the client behind `fetch`,
// which is not used here: 14 MB for as long as the server runs (Node 24.21).
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
