/** Who is told what by which channel. The numbers are those of the cases in the study of events. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { organizationContext } from '../../src/access/context.ts';
import { system } from '../../src/access/transactions.ts';
import { addMember } from '../../src/resources/members/add.ts';
import { type EventType, eventTypeNames, eventTypes } from '../../src/trail/catalog.ts';
import { record } from '../../src/trail/record.ts';
import { recordOfUser } from '../../src/trail/record-of-user.ts';
import { expectRefusal } from '../problems.ts';
import { type Client, startTestService, type Tenant, type TestService } from '../service.ts';
import { choose, emailOf, inboxOf, told } from './acts.ts';
import { openSmtpSink, parseMail, type SmtpSink } from './smtp.ts';

let service: TestService;
let sink: SmtpSink;
beforeAll(async () => {
  sink = await openSmtpSink();
  service = await startTestService({ smtpUrl: sink.url });
});
afterAll(async () => {
  await service.close();
  await sink.close();
});

const settings = ['none', 'email', 'in_app', 'both'] as const;
type Setting = (typeof settings)[number] | null;
const paths = ['/v1/api', '/v1/api/organization'];

/** The channels of a setting, in the words of the test. */
const channelsOf = (setting: (typeof settings)[number]) => ({
  email: setting === 'email' || setting === 'both',
  inApp: setting === 'in_app' || setting === 'both',
});

/** What somebody is to be told by: mandatory before own choice before default of the place before the product's. */
function expected(type: EventType, own: Setting, byPlace: Setting) {
  const { mandatory, byDefault } = eventTypes[type];
  if (mandatory === 'readers') return channelsOf('both');
  return channelsOf(own ?? byPlace ?? (byDefault ? 'both' : 'none'));
}

/** A Creator of the whole organization, who may read all, with one setting of every type. */
async function creatorWith(tenant: Tenant, own: Setting) {
  const person = await tenant.signedIn('creator', 'organization');
  const preferences = own === null ? [] : eventTypeNames.map((type) => ({ type, channels: own }));
  for (const path of paths) {
    const body = { mail_window: 'daily', preferences };
    const reply = await person.send('PATCH', `${path}/notification-preferences`, { body });
    expect(reply.status, reply.text).toBe(200);
  }
  return { ...person, own, email: await emailOf(service, person.userId) };
}

/** Has every kind of event happen once: in the workspace, or in the organization as a whole if webhooks have none of it. */
async function haveAllHappen({ ctx }: Tenant): Promise<void> {
  await system(service.service.app.db, 'test', async (tx) => {
    for (const type of eventTypeNames) {
      const place =
        eventTypes[type].reach === 'webhooks' ? ctx : organizationContext(ctx.organizationId, { ...ctx.actor });
      await (record as (...given: unknown[]) => Promise<void>)(
        tx,
        place,
        type,
        { type: 'thing', id: `of-${type}` },
        {},
      );
    }
  });
}

describe('E72 every kind of event is told by the channels that', () => {
  test.each<[Setting, readonly Setting[]]>([
    [null, [null, ...settings]],
    ['both', [null, ...settings]],
    ['none', [null, 'both']],
    ['email', [null]],
    ['in_app', [null]],
  ])('with the default %s of the place, readers have chosen: %j', async (byPlace, owns) => {
    const tenant = await service.tenant(`Default ${byPlace}`);
    const people = [];
    for (const own of owns) people.push(await creatorWith(tenant, own));
    if (byPlace !== null)
      for (const path of paths) {
        const preferences = eventTypeNames.map((type) => ({ type, channels: byPlace }));
        await choose(people[0], 'defaults', preferences, path);
      }
    await haveAllHappen(tenant);
    await told(service);
    await service.owner.pool.query("update notification_mails set due_at = now() where status = 'waiting'");
    for (const { own, email, ...person } of people) {
      const wanted = (channel: 'email' | 'inApp') =>
        eventTypeNames
          .filter((type) => expected(type, own, byPlace)[channel])
          // Of these, the act has sent every Creator a mail of its own.
          .filter((type) => channel === 'inApp' || type !== 'break-glass-sign-in')
          .sort();
      const inbox = (await inboxOf(person)).filter(({ body }) => /Thing: of-/.test(body));
      expect(inbox.map(({ type }) => type).sort(), `in the app, own ${own}`).toEqual(wanted('inApp'));
      for (const { title, body } of inbox) expect(`${title} ${body}`).not.toMatch(/[{}]|undefined|null/);
      const mailed = await vi.waitUntil(
        async () => {
          const parsed = await Promise.all(sink.to(email).map(parseMail));
          const types = parsed.flatMap(({ text }) => [...text!.matchAll(/Thing: of-(\S+)/g)].map(([, type]) => type));
          return types.length >= wanted('email').length ? types : null;
        },
        { timeout: 120_000, interval: 100 },
      );
      expect(mailed.sort(), `by mail, own ${own}`).toEqual(wanted('email'));
      const places = [];
      for (const path of paths) {
        const { body } = await person.get(`${path}/notification-preferences`);
        expect(body.mail_window).toBe('daily');
        places.push(body.preferences);
      }
      for (const shown of places)
        for (const { type, email, in_app } of shown) {
          const { email: mail, inApp } = expected(type, own, byPlace);
          expect([email.on, in_app.on], type).toEqual([mail, inApp]);
          const source = own !== null ? 'user' : byPlace !== null ? 'default' : 'product';
          expect(email.source).toBe(eventTypes[type as EventType].mandatory === 'readers' ? 'mandatory' : source);
        }
    }
  });
});

test('E72 of what concerns their own account or key people are told whatever anybody has chosen, and mailed once', async () => {
  const tenant = await service.tenant('Own');
  const person = await tenant.signedIn('developer', 'workspace');
  const email = await emailOf(service, person.userId);
  const other = await creatorWith(tenant, 'none');
  for (const path of paths)
    await choose(
      other,
      'defaults',
      eventTypeNames.map((type) => ({ type, channels: 'none' as const })),
      path,
    );
  await choose(
    person,
    'preferences',
    eventTypeNames.map((type) => ({ type, channels: 'none' as const })),
  );
  await told(service);
  await service.owner.kysely.deleteFrom('notifications').execute();
  await service.owner.kysely.deleteFrom('notification_mails').execute();
  const made = await person.post('/v1/api/api-keys', { name: 'own key' });
  expect(made.status, made.text).toBe(201);
  const password = await person.send('PUT', '/v1/api/user/password', {
    body: { password: 'velvet Orbit 97 lampshade' },
  });
  expect(password.status, password.text).toBe(204);
  await system(service.service.app.db, 'test', (tx) =>
    recordOfUser(tx, tenant.ctx, person.userId, 'second-factor-update', { payload: { change: 'totp_set_up' } }),
  );
  await told(service);
  const seen = await inboxOf(person);
  expect(seen.map(({ type, workspace_id }) => [type, workspace_id]).sort()).toEqual([
    ['api-key-creation', tenant.ctx.workspaceId],
    ['password-update', null],
    ['second-factor-update', null],
  ]);
  expect(await inboxOf(other)).toEqual([]);
  const { rows } = await service.owner.pool.query(
    'select type from notifications where mail_id is not null order by 1',
  );
  // The act that changes a second factor sends its own mail, as does one that replaces a password; a first one does not.
  expect(rows).toEqual([{ type: 'api-key-creation' }, { type: 'password-update' }]);
  await vi.waitUntil(() => sink.to(email).filter(({ source }) => /API key created/.test(source)).length === 1, {
    timeout: 120_000,
  });
});

test('what happens to an account is in the inbox of each of its organizations, and is mailed once', async () => {
  const tenants = [await service.tenant('First home'), await service.tenant('Second home')];
  const person = await tenants[0].signedIn('developer', 'workspace');
  await told(service);
  await service.owner.kysely.deleteFrom('notifications').execute();
  await system(service.service.app.db, 'test', async (tx) => {
    const email = await emailOf(service, person.userId);
    await addMember(tx, tenants[1].ctx, { userId: person.userId, email, role: 'developer' });
    await recordOfUser(tx, tenants[0].ctx, person.userId, 'sign-in-link-creation');
  });
  await told(service);
  const { rows } = await service.owner.pool.query(
    `select organization_id, in_app, mail_id is not null as mailed from notifications
     where user_id = $1 and type = 'sign-in-link-creation' order by organization_id`,
    [person.userId],
  );
  const [first, second] = tenants.map(({ ctx }) => ctx.organizationId).sort();
  expect(rows).toEqual([
    { organization_id: first, in_app: true, mailed: true },
    { organization_id: second, in_app: true, mailed: false },
  ]);
});

test('choices are taken back by null, and are of one place alone', async () => {
  const tenant = await service.tenant('Back');
  const person = await creatorWith(tenant, null);
  const cell = async (client: Client, path: string, what = 'preferences') =>
    (await client.get(`${path}/notification-${what}`)).body.preferences.find(
      ({ type }: { type: string }) => type === 'batch-request',
    ).email;
  await choose(person, 'preferences', [{ type: 'batch-request', channels: 'email' }]);
  expect(await cell(person, paths[0])).toEqual({ on: true, source: 'user' });
  expect(await cell(person, paths[1])).toEqual({ on: false, source: 'product' });
  await choose(person, 'defaults', [{ type: 'batch-request', channels: 'both' }]);
  await choose(person, 'preferences', [{ type: 'batch-request', channels: null }]);
  expect(await cell(person, paths[0])).toEqual({ on: true, source: 'default' });
  expect(await cell(person, paths[0], 'defaults')).toEqual({ on: true, source: 'default' });
  await choose(person, 'defaults', [{ type: 'batch-request', channels: null }]);
  expect(await cell(person, paths[0])).toEqual({ on: false, source: 'product' });
});

test('what is not known is refused', async () => {
  const tenant = await service.tenant('Refused');
  const person = await tenant.signedIn('developer', 'workspace');
  const change = (body: object) => person.send('PATCH', '/v1/api/notification-preferences', { body });
  const one = (given: object) => change({ preferences: [{ type: 'batch-request', channels: 'none', ...given }] });
  expectRefusal(await one({ type: 'party' }), 422, 'schema_mismatch', '/preferences/0/type');
  expectRefusal(await one({ channels: 'pigeon' }), 422, 'schema_mismatch');
  expectRefusal(await change({ time_zone: 'Mars/Base' }), 422, 'schema_mismatch', '/time_zone');
  expectRefusal(await change({ mail_window: '2h' }), 422, 'schema_mismatch');
  const body = { preferences: [] };
  expectRefusal(await person.send('PATCH', '/v1/api/notification-defaults', { body }), 403, 'permission_denied');
  const key = await tenant.as('creator');
  expectRefusal(await key.send('PATCH', '/v1/api/notification-preferences', { body }), 403, 'session_required');
});
