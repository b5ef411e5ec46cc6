// Node's HTTP server. An `import` of `node:http` asks for everything that it exports, and so loads the client behind `fetch`, which
// nobody here uses: 14 MB for as long as the server runs (Node 24.21).
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
