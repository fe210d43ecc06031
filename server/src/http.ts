// The HTTP servers: of the API, and of health and metrics alone; and the document of the routes.
import { openApiKeys } from './access/credentials/api-key.ts';
import { openSessions, sessionCookie } from './access/credentials/session.ts';
import { openSignedAddresses } from './access/credentials/signed-address.ts';
import { openRateLimit } from './access/rate-limit.ts';
import { completeDocument } from './api/document.ts';
import { serveRoutes } from './api/serve.ts';
import type { Config } from './config.ts';
import type { Dashboard } from './dashboard.ts';
import { newId } from './lib/crypto/ids.ts';
import { type Logger, openLog } from './lib/http/log.ts';
import { type Http, openHttp } from './lib/http/server.ts';
import { type Metrics, openMetrics } from './lib/metrics/metrics.ts';
import { noTracing, type Tracing } from './lib/tracing/tracing.ts';
import { ratesWithin } from './resources/allowances/allowances.ts';
import { noteUse } from './resources/api-keys/note-use.ts';
import type { App } from './resources/app.ts';
import type { Embedders } from './resources/embeddings/about.ts';
import { healthRoutes } from './resources/health/routes.ts';
import { endMovedSession } from './resources/sessions/end.ts';
import { touchSession } from './resources/sessions/touch.ts';
import { allRoutes } from './routes.ts';
import { recordDenial } from './trail/record.ts';

/** The HTTP server with every route, not listening yet. */
export async function openApi(
  config: Pick<Config, 'trustedProxies' | 'requestsPerMinute' | 'workspacePerMinute'>,
  app: App,
  {
    log,
    metrics,
    dashboard,
    tracing = noTracing,
  }: {
    readonly log: Logger;
    readonly metrics: Metrics;
    readonly dashboard?: Dashboard;
    readonly tracing?: Tracing;
  },
  embedders: Embedders,
): Promise<Http> {
  const http = openHttp({
    log,
    trustedProxies: config.trustedProxies,
    newRequestId: () => newId('req'),
    document: apiDocument,
    onAnswer: metrics.observe,
    tracing,
    untraced: healthRoutes(app, metrics, 'this machine').map(({ path }) => path),
    elsewhere: (head) => dashboard?.answer(head) ?? null,
  });
  serveRoutes(http, allRoutes(app, metrics, embedders), {
    credentials: {
      brought: [
        openApiKeys(app.db, { onUse: (use) => noteUse(app.db, use) }),
        openSessions(app.db, {
          origin: app.publicUrl,
          onSeen: touchSession,
          onMoved: (session) => endMovedSession(app, session),
        }),
      ],
      signedAddress: openSignedAddresses(app.db, app.keys.addresses),
    },
    recordDenial: (ctx, route) => recordDenial(app.db, ctx, route),
    rateLimit: openRateLimit({
      perCredential: config.requestsPerMinute,
      perWorkspace: ratesWithin(app.allowances, config.workspacePerMinute),
    }),
    bodySecret: app.keys.idempotency,
  });
  return http;
}

/** Health and metrics alone, to whoever reaches their port. Not listening yet. */
export function openOperation(app: App, log: Logger, metrics: Metrics): Http {
  const http = openHttp({ log, trustedProxies: [], newRequestId: () => newId('req'), document: apiDocument });
  serveRoutes(http, healthRoutes(app, metrics, 'anyone'), publicOnly(app));
  return http;
}

/** For routes that ask nobody who they are. */
const publicOnly = (app: App): Parameters<typeof serveRoutes>[2] => ({
  credentials: { brought: [], signedAddress: openSignedAddresses(app.db, Buffer.of()) },
  recordDenial: async () => {},
  rateLimit: { count: () => ({}) },
  bodySecret: Buffer.of(),
});

/** The OpenAPI document of every route. Opens neither database nor storage. */
export async function documentApi(): Promise<unknown> {
  // Routes use the app only when they are called, and none is called here.
  const app = {} as App;
  const routes = allRoutes(app, openMetrics(), {} as Embedders);
  const newRequestId = () => newId('req');
  const http = openHttp({ log: openLog('silent'), trustedProxies: [], newRequestId, document: apiDocument });
  serveRoutes(http, routes, publicOnly(app));
  return completeDocument((await http.document()) as Parameters<typeof completeDocument>[0], routes);
}

const apiDocument = {
  info: {
    title: 'Lastro',
    version: '1.0.0',
    description: 'Predictions about companies, people and assets from the network of dated relationships they sit in.',
  },
  components: {
    securitySchemes: {
      key: { type: 'http', scheme: 'bearer', description: 'A key lst_… of a workspace.' },
      session: {
        ...{ type: 'apiKey', in: 'cookie', name: sessionCookie },
        description:
          'The cookie of somebody who is signed in, with that of their device. The headers Lastro-Workspace and Lastro-Organization say where they act, if there is more than one place.',
      },
    },
  },
  security: [{ key: [] }, { session: [] }],
};
