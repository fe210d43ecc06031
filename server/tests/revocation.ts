/** Rights that end while predictions run, with the key warm in two API processes; test support. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { untilLeasesEnd } from '../src/access/lease.ts';
import { system, type Tx } from '../src/access/transactions.ts';
import { type Service, startService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createKey } from '../src/resources/api-keys/create.ts';
import { revokeKey } from '../src/resources/api-keys/revoke.ts';
import { resumeOrganization, suspendOrganization } from '../src/resources/organizations/suspend.ts';
import type { Client, Reply, Tenant, TestService } from './service.ts';
import type { World } from './world.ts';
import { startWorlds } from './worlds.ts';

export type Stage = {
  readonly first: TestService;
  readonly second: Service;
  readonly tenant: Tenant;
  readonly world: World;
  close(): Promise<void>;
};

/** Two services on one database, and a workspace with a model. */
export async function openStage(): Promise<Stage> {
  const { service: first, a } = await startWorlds();
  const settings = {
    PORT: '0',
    LASTRO_DATA_DIR: first.folder,
    LASTRO_DEMO: '0',
    LOG_LEVEL: 'error',
    DATABASE_URL: first.databaseUrl,
  };
  const second = await startService(readConfig(settings), 'api');
  return {
    first,
    second,
    ...a,
    async close() {
      await second.close();
      await first.close();
    },
  };
}

type Key = { readonly id: string; readonly userId: string };

/** What ends a right, with the code that is told from then on, and what gives it back. */
export type Ending = {
  readonly code: string;
  end(stage: Stage, key: Key): Promise<unknown>;
  restore?(stage: Stage, key: Key): Promise<unknown>;
};

/** A change of rights, as whoever makes it is told that it is made. */
async function act(stage: Stage, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  await system(stage.first.service.app.db, 'test', work);
  await untilLeasesEnd();
}

const setRole =
  (role: string) =>
  (stage: Stage, { userId }: Key) =>
    act(stage, (tx) => tx.updateTable('grants').set({ role }).where('user_id', '=', userId).execute());
const setScopes =
  (scopes: string[] | null) =>
  (stage: Stage, { id }: Key) =>
    act(stage, (tx) => tx.updateTable('api_keys').set({ scopes }).where('id', '=', id).execute());
const setUser =
  (status: string) =>
  (stage: Stage, { userId }: Key) =>
    act(stage, (tx) => tx.updateTable('users').set({ status }).where('id', '=', userId).execute());
const setWorkspace = (status: string) => (stage: Stage) =>
  act(stage, (tx) =>
    tx.updateTable('workspaces').set({ status }).where('id', '=', stage.tenant.ctx.workspaceId).execute(),
  );

export const endings: Readonly<Record<string, Ending>> = {
  'the key is revoked': {
    code: 'unauthenticated',
    end: (stage, { id }) => revokeKey(stage.first.service.app.db, stage.tenant.ctx, id),
  },
  'the role is lowered': { code: 'permission_denied', end: setRole('analyst'), restore: setRole('developer') },
  'the scopes are narrowed': {
    code: 'permission_denied',
    end: setScopes(['view_models']),
    restore: setScopes(['invoke_predictions']),
  },
  'the user is suspended': { code: 'unauthenticated', end: setUser('suspended'), restore: setUser('active') },
  'the membership ends': {
    code: 'unauthenticated',
    end: (stage, { userId }) => act(stage, (tx) => tx.deleteFrom('grants').where('user_id', '=', userId).execute()),
  },
  'the workspace is archived': {
    code: 'workspace_archived',
    end: setWorkspace('archived'),
    restore: setWorkspace('active'),
  },
  'the organization is suspended': {
    code: 'organization_suspended',
    end: ({ first, tenant }) => suspendOrganization(first.service.app.db, tenant.ctx.organizationId),
    restore: ({ first, tenant }) => resumeOrganization(first.service.app.db, tenant.ctx.organizationId),
  },
};

const callersPerService = 3;
const warmAnswers = 4;

/** One round: calls run without a pause, the right ends, and from the moment that is done nothing is answered. */
export async function endDuringPredictions(stage: Stage, { code, end, restore }: Ending): Promise<void> {
  const { first, second, tenant, world } = stage;
  const { userId } = await tenant.as('developer');
  const { id, secret } = await createKey(first.service.app.db, tenant.ctx, { name: 'warm', userId });
  const ask = (client: Client, url: string): Promise<Reply> =>
    client.post(`${url}/v1/api/prediction/${world.model}/${world.alias}`, { customer_id: `${world.canary}C1` });
  let hasEnded = false;
  let answered = 0;
  const late: number[] = [];
  const onFinish = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (request.headers.authorization !== `Bearer ${secret}`) return;
    if (response.statusCode === 200) answered++;
    if (response.statusCode === 200 && hasEnded) late.push(response.statusCode);
  };
  subscribe('http.server.response.finish', onFinish);
  try {
    for (const reply of await Promise.all([first.url, second.url].map((url) => ask(first.client(secret), url))))
      expect(reply.status, reply.text).toBe(200);
    const warm = Promise.withResolvers<void>();
    const loops = [first.url, second.url].flatMap((url) =>
      Array.from({ length: callersPerService }, async () => {
        const client = first.client(secret);
        for (;;) {
          const wasEnded = hasEnded;
          const reply = await ask(client, url);
          if (answered >= warmAnswers * callersPerService) warm.resolve();
          if (reply.status !== 200) expect(reply.body.code, reply.text).toBe(code);
          else expect(wasEnded, `answered after the end: ${reply.text}`).toBe(false);
          if (wasEnded) return;
        }
      }),
    );
    await Promise.race([warm.promise, Promise.all(loops)]);
    await end(stage, { id, userId });
    hasEnded = true;
    await Promise.all(loops);
    expect(late).toEqual([]);
    if (!restore) return;
    hasEnded = false;
    await restore(stage, { id, userId });
    for (const url of [first.url, second.url]) {
      const reply = await ask(first.client(secret), url);
      expect(reply.status, reply.text).toBe(200);
    }
  } finally {
    unsubscribe('http.server.response.finish', onFinish);
  }
}
