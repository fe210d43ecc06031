// S3 in a folder. It does not check signatures: those that today's libraries make it reckons otherwise.
import S3rver from '@20minutes/s3rver';

const [directory, port] = process.argv.slice(2);
const server = new S3rver({
  ...{ address: '127.0.0.1', port: Number(port), directory, silent: true },
  ...{ allowMismatchedSignatures: true, configureBuckets: [{ name: 'lastro' }] },
});
const address = await server.run();
process.stdout.write(`${address.port}\n`);
