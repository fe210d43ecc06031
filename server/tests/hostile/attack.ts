/** One thing that a hostile or careless customer does, and how it is answered; test support. */
import { connect } from 'node:net';
import type { Client, Reply } from '../service.ts';

/** The attacker: one workspace with the shop's tables and a trained model, and one with nothing. */
export type Attacker = {
  readonly client: Client;
  readonly newcomer: Client;
  readonly anonymous: Client;
  readonly url: string;
  /** `<model id>/<alias>` of the attacker's own model. */
  readonly model: string;
  readonly modelId: string;
  readonly taskId: string;
  /** An uploaded file of a few rows. */
  readonly fileId: string;
};

export type Attack = {
  readonly name: string;
  /** Does it to its end, and says what happened: `413 limit_exceeded`, `ingestion refused`. */
  readonly run: (attacker: Attacker) => Promise<string>;
  readonly expected: RegExp;
};

/** What a reply says: its status, and the code of a refusal. */
export function outcomeOf({ status, body }: Reply): string {
  return body?.code ? `${status} ${body.code}` : String(status);
}

type Asked = {
  readonly body?: unknown;
  readonly raw?: string | Uint8Array;
  readonly headers?: Record<string, string>;
  readonly isEndless?: boolean;
};
type For<T> = T | ((attacker: Attacker) => T);

/** A request. Bodies and paths that need the attacker's own ids are functions of it. */
export function request(
  expected: RegExp,
  name: string,
  method: string,
  path: For<string>,
  asked: For<Asked> = {},
): Attack {
  return {
    name,
    expected,
    run: async (attacker) =>
      outcomeOf(await attacker.client.send(method, valueFor(path, attacker), valueFor(asked, attacker))),
  };
}

/** A request whose JSON body is given as text. */
export function posting(expected: RegExp, name: string, path: For<string>, text: For<string>): Attack {
  return request(expected, name, 'POST', path, (attacker) => ({
    raw: valueFor(text, attacker),
    headers: { 'content-type': 'application/json' },
  }));
}

const socketTimeoutMs = 10_000;

/** Bytes on a connection of its own. Says the status that comes back, or that the connection was closed. */
export function bytes(expected: RegExp, name: string, text: For<string>): Attack {
  return {
    name,
    expected,
    run: (attacker) => {
      const { hostname, port } = new URL(attacker.url);
      return new Promise((resolve) => {
        const socket = connect(Number(port), hostname);
        let answer = '';
        const end = (): void => {
          socket.destroy();
          resolve(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'closed');
        };
        socket.on('data', (part) => {
          answer += part.toString('latin1');
          if (answer.includes('\r\n\r\n')) end();
        });
        socket.on('error', end).on('close', end).setTimeout(socketTimeoutMs, end);
        socket.write(valueFor(text, attacker));
      });
    },
  };
}

/** Files taken in. Says how the ingestion ended, and with which code or kind of deviation. */
export function ingesting(
  expected: RegExp,
  name: string,
  file: {
    readonly path: string;
    readonly table?: string;
    readonly contentType?: string;
    readonly isNew?: boolean;
    readonly bytes: () => Uint8Array | string;
  },
): Attack {
  return {
    name,
    expected,
    run: async ({ client, newcomer }) => {
      const by = file.isNew ? newcomer : client;
      const id = await by.upload(file.path, file.bytes(), file.contentType);
      const asked = await by.post('/v1/api/ingestions', { files: [{ file_id: id, table: file.table ?? 'orders' }] });
      if (asked.status !== 202) return outcomeOf(asked);
      const { body } = await by.finished(`/v1/api/ingestions/${asked.body.id}`);
      return `ingestion ${body.status}${body.failure ? ` ${body.failure.code}` : ''}`;
    },
  };
}

/** A batch over a file of the attacker. */
export function scoring(
  expected: RegExp,
  name: string,
  file: {
    readonly path: string;
    readonly contentType?: string;
    readonly bytes: () => Uint8Array | string;
    readonly options?: object;
  },
): Attack {
  return {
    name,
    expected,
    run: async ({ client, model }) => {
      const id = await client.upload(file.path, file.bytes(), file.contentType);
      const asked = await client.post('/v2/api/batches', { files: [id], model, ...file.options });
      if (asked.status !== 202 && asked.status !== 201) return outcomeOf(asked);
      const { body } = await client.finished(`/v2/api/batches/${asked.body.id}`);
      return `batch ${body.status}${body.failure ? ` ${body.failure.code}` : ''}`;
    },
  };
}

function valueFor<T>(value: For<T>, attacker: Attacker): T {
  return typeof value === 'function' ? (value as (attacker: Attacker) => T)(attacker) : value;
}
