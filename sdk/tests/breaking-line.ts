/** A line to a server that breaks after so many bytes, on every connection; test support. */
import { type AddressInfo, connect, createServer } from 'node:net';

export type Line = {
  readonly url: string;
  /** Bytes that went to the server. */
  sent(): number;
  /** Connections that broke. */
  broken(): number;
  close(): void;
};

export async function openLine(to: string, bytesMax: number): Promise<Line> {
  const { hostname, port } = new URL(to);
  let sent = 0;
  let broken = 0;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const drop = (): void => {
      near.destroy();
      far.destroy();
    };
    let left = bytesMax;
    near.on('data', (chunk: Buffer) => {
      sent += chunk.length;
      left -= chunk.length;
      if (left > 0) return far.write(chunk) || near.pause();
      broken++;
      return drop();
    });
    far.on('drain', () => near.resume()).pipe(near);
    for (const end of [near, far]) end.on('error', drop).on('close', drop);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => sent,
    broken: () => broken,
    close: () => void server.close(),
  };
}
