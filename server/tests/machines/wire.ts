/** A wire between a process and what it depends on, which a test can cut; test support. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export type Wire = {
  readonly port: number;
  /** `reset`: every connection ends, and no new one is made. `silence`: nothing arrives any more, and nobody is told. */
  cut(how: 'reset' | 'silence'): void;
  /** What was silent arrives now, as after an outage of a network. */
  mend(): void;
  close(): void;
};

/** Lays a wire whose far end `connect` reaches. */
export async function layWire(connect: () => Socket): Promise<Wire> {
  const sockets = new Set<Socket>();
  let state: 'reset' | 'silence' | 'whole' = 'whole';
  const waiting: (() => void)[] = [];
  /** At once, or once the wire is whole again, in order. */
  const pass = (act: () => void) => (state === 'silence' ? void waiting.push(act) : act());
  const link = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('data', (block) =>
      pass(() => {
        // The other end may be slow to take what comes.
        if (!to.destroyed && !to.write(block)) {
          from.pause();
          to.once('drain', () => from.resume());
        }
      }),
    );
    from.on('end', () => pass(() => void to.end()));
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      pass(() => void to.destroy());
    });
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (state === 'reset') return void near.destroy();
    const far = connect();
    link(near, far);
    link(far, near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const reset = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut(how) {
      state = how;
      if (how === 'reset') reset();
    },
    mend() {
      state = 'whole';
      for (const act of waiting.splice(0)) act();
    },
    close() {
      reset();
      server.close();
    },
  };
}
