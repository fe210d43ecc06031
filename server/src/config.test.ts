import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

test.each([
  ['PORT', '99999'],
  ['METRICS_PORT', 'metrics'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['LASTRO_DEMO', 'yes'],
  ['LOG_LEVEL', 'verbose'],
  ['PUBLIC_URL', 'lastro.example.com'],
  ['PUBLIC_URL', 'https://'],
  ['LASTRO_DRAIN_SECONDS', '-1'],
  ['LASTRO_DRAIN_SECONDS', '5s'],
  ['TRUSTED_PROXIES', 'balancer'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', '10.0.0.0/'],
  ['OUTBOUND_PRIVATE_NETWORKS', 'idp.internal'],
  ['OUTBOUND_PRIVATE_NETWORKS', '10.0.0.0/8,10.0.0.0/33'],
  ['OUTBOUND_PRIVATE_NETWORKS', '10.1.0.0/8'],
  ['LASTRO_WEBHOOK_ALLOW_HTTP', 'true'],
  ['DATABASE_URL', 'mysql://ana:hunter2@host/lastro'],
  ['LASTRO_COMPUTE_PROCESSES', '0'],
  ['LASTRO_COMPUTE_MEMORY_MB', '100'],
  ['LASTRO_COMPUTE_MEMORY_MB', 'much'],
  ['LASTRO_SERVING_MEMORY_MB', '10'],
  ['LASTRO_TASK_BUDGET_FACTOR', '0'],
  ['SFTP_PROXY_PROTOCOL', 'yes'],
  ['LASTRO_AUDIT_RETENTION_DAYS', '0'],
  ['LASTRO_PREDICTION_RETENTION_DAYS', '-1'],
  ['LASTRO_PREDICTION_RETENTION_DAYS', '90d'],
  ['LASTRO_REPLAY_SAMPLE', '201'],
  ['LASTRO_BATCH_RETENTION_DAYS', '34'],
  ['LASTRO_EVENT_RETENTION_DAYS', '29'],
  ['LASTRO_REQUESTS_PER_MINUTE', '-1'],
  ['LASTRO_WORKSPACE_REAL_TIME_PER_MINUTE', '-1'],
  ['LASTRO_WORKSPACE_REQUESTS_PER_MINUTE', 'many'],
])('%s=%s is refused by name', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must `));
});

test('an address of a database, which may hold a password, is not repeated', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://ana:hunter2@host/lastro' })).not.toThrow(/hunter2/);
});

test('proxies are addresses and networks, with blanks between them or without', () => {
  const { trustedProxies } = readConfig({ TRUSTED_PROXIES: '10.0.0.7, 10.1.0.0/16,2001:db8::/32' });
  expect(trustedProxies).toEqual(['10.0.0.7', '10.1.0.0/16', '2001:db8::/32']);
});

test('private networks are read, and there are none by default', () => {
  const { outboundPrivateNetworks } = readConfig({ OUTBOUND_PRIVATE_NETWORKS: '10.7.0.0/16, ::1' });
  expect(outboundPrivateNetworks.map(({ text }) => text)).toEqual(['10.7.0.0/16', '::1/128']);
  expect(readConfig({}).outboundPrivateNetworks).toEqual([]);
});

test('addresses are taken as they are, but for the last slash of what callers reach', () => {
  for (const databaseUrl of [
    'postgres://ana:p@host:5432/lastro',
    'postgresql:///lastro?host=%2Frun',
    '/run/postgresql lastro',
  ])
    expect(readConfig({ DATABASE_URL: databaseUrl })).toMatchObject({ databaseUrl });
  expect(readConfig({ PUBLIC_URL: 'https://lastro.example.com/' })).toMatchObject({
    publicUrl: 'https://lastro.example.com',
  });
});

test('a secret is read from a file that is named instead, and no other setting is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-config-'));
  const file = join(folder, 'database-url');
  writeFileSync(file, 'postgres://ana:hunter2@host/lastro\n');
  const { databaseUrl, port } = readConfig({ DATABASE_URL_FILE: file, PORT_FILE: file });
  expect({ databaseUrl, port }).toEqual({ databaseUrl: 'postgres://ana:hunter2@host/lastro', port: 4000 });
  rmSync(folder, { recursive: true });
  expect(() => readConfig({ DATABASE_URL_FILE: file })).toThrow(/^DATABASE_URL_FILE must name a file/);
});

test('headers for the collector of traces are read, and there are none without a collector', () => {
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
  const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, other=c=d' };
  expect(readConfig({ ...collector, ...headers }).tracing).toMatchObject({
    headers: { 'api-key': 'a b', other: 'c=d' },
  });
  expect(readConfig(headers).tracing).toBe(null);
  for (const wrong of ['hunter2', 'api-key=%'])
    expect(() => readConfig({ ...collector, OTEL_EXPORTER_OTLP_HEADERS: wrong })).toThrow(
      /^OTEL_EXPORTER_OTLP_HEADERS must be like api-key=…,other=…$/,
    );
});
