import { Type } from 'typebox';
import { system } from '../../access/transactions.ts';
import { answerOf } from '../../api/named.ts';
import { openRoute, type Route } from '../../api/route.ts';
import { refuse } from '../../errors.ts';
import { whereRoutesAre } from '../../lib/http/refusals.ts';
import type { Metrics } from '../../lib/metrics/metrics.ts';
import type { App } from '../app.ts';
import { ask } from './sql.ts';

const status = answerOf('Health', { status: 'ok' }, { status: Type.String() });
const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** Metrics are told to callers on this machine, or to anyone: on a port that only the operator reaches. */
export const healthRoutes = (app: App, metrics: Metrics, metricsTo: 'this machine' | 'anyone'): Route[] => [
  openRoute(
    {
      method: 'GET',
      path: '/healthz',
      operation: 'health.checkAlive',
      summary: 'Whether the process runs',
      access: 'public',
      answers: { 200: status },
    },
    async () => ({ status: 200, body: { status: 'ok' } }),
  ),
  openRoute(
    {
      method: 'GET',
      path: '/readyz',
      operation: 'health.checkReady',
      summary:
        'Whether requests should be sent here: 503 while the database does not answer, and before the process stops',
      access: 'public',
      answers: { 200: status },
    },
    async () => {
      if (app.isLeaving()) throw refuse('unavailable', 'the service is stopping; ask another instance');
      await system(app.db, 'readiness', ask);
      return { status: 200, body: { status: 'ready' } };
    },
  ),
  openRoute(
    {
      method: 'GET',
      path: '/metrics',
      operation: 'health.getMetrics',
      summary: 'Metrics in the text format of Prometheus, to callers on this machine',
      access: 'public',
      problems: ['route_not_found'],
      answers: { 200: null },
      produces: 'text/plain',
      example: '# TYPE process_cpu_user_seconds_total counter\nprocess_cpu_user_seconds_total 1.52\n',
    },
    async (_, { exchange }) => {
      if (metricsTo === 'this machine' && !loopback.has(exchange.ip))
        throw refuse('route_not_found', `there is no GET /metrics; ${whereRoutesAre}`);
      return {
        status: 200,
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
        body: await metrics.text(),
      };
    },
  ),
];
