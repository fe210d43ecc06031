/** Every act of the catalog, done as people do it, and whom it reaches. */
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type AuditAction,
  auditActionNames,
  auditActions,
  type EventType,
  eventTypeNames,
  eventTypes,
  isEventType,
} from '../src/trail/catalog.ts';
import { actOnData } from './acts/data.ts';
import { actOnPeople } from './acts/people.ts';
import { actOnSftp } from './acts/sftp.ts';
import { done, type Stage } from './acts/stage.ts';
import { actOnUsage } from './acts/usage.ts';
import { actOnWebhooks } from './acts/webhooks.ts';
import { openDns } from './dns.ts';
import { mailsTo } from './identity/browser.ts';
import { signUpWithDomain, startWithProviders } from './identity/organizations.ts';
import { openOidcProvider } from './identity/peers/oidc-provider.ts';
import { mailed, told } from './notifications/acts.ts';
import { type Farm, openFarm, type Receiver } from './webhooks/farm.ts';

let stage: Stage;
let farm: Farm;
let receiver: Receiver;
beforeAll(async () => {
  const [dns, peer, opened] = await Promise.all([openDns(), openOidcProvider([]), openFarm()]);
  farm = opened;
  receiver = farm.receiver();
  const service = await startWithProviders(dns, { webhookAllowHttp: true, webhookScheduleMs: [0, 50], sftpPort: 0 });
  const creator = await signUpWithDomain(service, dns, 'Acts');
  // What was done before anybody could choose is all about the account and its organization.
  const chosen = eventTypeNames.map((type) => ({ type, channels: 'both' }));
  for (const place of ['/v1/api', '/v1/api/organization'])
    await done(creator.browser.send('PATCH', `${place}/notification-preferences`, { preferences: chosen }));
  await done(creator.browser.post('/v1/api/webhooks', { url: receiver.url, events: ['*'] }));
  const { body: key } = await done(creator.browser.post('/v1/api/api-keys', { name: 'acts' }));
  stage = { service, dns, peer, creator, client: service.client(key.secret) };
  const world = await actOnData(stage);
  await actOnSftp(stage);
  await actOnWebhooks(stage, farm);
  await actOnUsage(stage, world);
  await actOnPeople(stage);
  await vi.waitUntil(async () => (await selectTypes('webhook-delivery-exhaustion')).length > 0, { timeout: 120_000 });
  await told(service);
});
afterAll(() => Promise.all([stage.service.close(), stage.dns.close(), stage.peer.close(), farm.close()]));

type Entry = { readonly action: AuditAction; readonly outcome: string; readonly data: unknown };

/** The types of events in the first workspace, or in the organization as a whole, that match a pattern. */
async function selectTypes(pattern = '%'): Promise<string[]> {
  const { rows } = await stage.service.owner.pool.query(
    `select distinct type from events where organization_id = $1 and type like $2
     and (workspace_id is null or workspace_id = $3) order by type`,
    [stage.creator.organization, pattern, stage.creator.workspace],
  );
  return rows.map(({ type }) => type);
}

async function entriesOf(organization: string): Promise<Entry[]> {
  const { rows } = await stage.service.owner.pool.query(
    'select action, outcome, data from audit_entries where organization_id = $1 order by recorded_at',
    [organization],
  );
  return rows;
}

test('E62: every act is done, and leaves an entry whose data are what the catalog says', async () => {
  const entries = await entriesOf(stage.creator.organization);
  const left = new Set(entries.map(({ action }) => action));
  // Days pass until these expire.
  expect(auditActionNames.filter((name) => !left.has(name)).sort()).toEqual([
    'audit-entry-expiry',
    'batch-expiry',
    'prediction-expiry',
  ]);
  for (const { action, outcome, data } of entries) {
    if (outcome === 'denied') continue;
    const problems = [...Compile(auditActions[action].payload).Errors(data)];
    expect(problems, `${action}: ${JSON.stringify(data)}`).toEqual([]);
  }
});

test('every act that makes an event has made one for each entry', async () => {
  const { rows } = await stage.service.owner.pool.query(
    'select type, count(*)::int as times from events where organization_id = $1 group by type order by type',
    [stage.creator.organization],
  );
  const counts = new Map<string, number>();
  for (const { action, outcome } of await entriesOf(stage.creator.organization))
    if (isEventType(action) && (outcome !== 'denied' || action === 'login-failure'))
      counts.set(action, (counts.get(action) ?? 0) + 1);
  expect(rows).toEqual([...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([type, times]) => ({ type, times })));
});

const isForWebhooks = (type: EventType) => eventTypes[type].reach === 'webhooks';

test('what webhooks can subscribe to reached one that takes everything', async () => {
  const missed = () => {
    const came = new Set(receiver.requests.map(({ body }) => JSON.parse(body.toString()).type));
    return eventTypeNames.filter((type) => isForWebhooks(type) && !came.has(type));
  };
  await vi.waitFor(() => expect(missed()).toEqual(['workspace-creation']), { timeout: 120_000 });
});

/** What happens only before anybody there can choose what to be told. */
const before: EventType[] = ['workspace-creation', 'organization-creation'];

test('every event is in the inbox of who asked for all of them, and came by mail', async () => {
  const { creator, service } = stage;
  const { rows } = await service.owner.pool.query(
    'select type, in_app, title, mail_id from notifications where user_id = $1',
    [creator.id],
  );
  const inInbox = new Set(rows.filter(({ in_app }) => in_app).map(({ type }) => type));
  expect(eventTypeNames.filter((type) => !inInbox.has(type))).toEqual(before);
  // Beyond twenty an hour they gather.
  await service.owner.pool.query("update notification_mails set due_at = now() where status = 'waiting'");
  await mailed(service);
  const mails = mailsTo(service, creator.email).map(({ subject, text }) => `${subject}\n${text.replaceAll('=\n', '')}`);
  for (const { type, title, mail_id } of rows)
    if (mail_id !== null)
      expect(
        mails.some((mail) => mail.includes(title)),
        `${type}: ${title}`,
      ).toBe(true);
  const byMail = new Set(rows.filter(({ mail_id }) => mail_id !== null).map(({ type }) => type));
  // These send mails of their own.
  expect(eventTypeNames.filter((type) => !byMail.has(type))).toEqual([
    ...before,
    ...['break-glass-sign-in', 'second-factor-update'],
  ]);
  for (const subject of [/signed in without single sign-on/, /second factor .* changed/])
    expect(mails.some((mail) => subject.test(mail))).toBe(true);
});
