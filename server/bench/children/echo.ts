// The ceiling of the service benchmark: node:http alone reads a JSON body and writes an answer of the same size.
import { createServer } from 'node:http';

const answer = JSON.parse(process.argv[2]) as Record<string, unknown>;
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
    const text = JSON.stringify({ ...answer, correlation_id: body.legal_document });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(JSON.stringify({ port: typeof address === 'object' && address ? address.port : 0 }));
});
