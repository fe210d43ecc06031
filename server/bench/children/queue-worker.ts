// Takes a job and keeps it until it is killed: `ours` or `peer`, the connection, the queue.
import { openQueue } from '../../src/lib/queue/queue.ts';
import { openPeer } from '../queue-peer.ts';

const [side, connection, name] = process.argv.slice(2);
const keep = (): Promise<void> => {
  console.log('started');
  return new Promise(() => {});
};
if (side === 'ours') {
  const queue = await openQueue(JSON.parse(connection), { log: console, queues: [name], roles: [] });
  await queue.work(name, { concurrency: 1, perGroup: 1 }, keep);
} else {
  const peer = await openPeer(JSON.parse(connection), name);
  await peer.work({ concurrency: 1, perGroup: 1, batch: 1 }, keep);
}
