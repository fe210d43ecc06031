// What each folder of the server may import, and where outside packages come in; test support.

/** What files of a room may import, as path prefixes. Files at the root and under commands/ may import all. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  'lib/': ['lib/'],
  'errors.ts': ['lib/'],
  'ml/': [
    'ml/',
    ...['lib/brazil-documents.ts', 'lib/failure.ts', 'lib/nearest-word.ts', 'lib/time-zone.ts'],
    ...['lib/duckdb/', 'lib/onnx/', 'lib/files/', 'lib/crypto/', 'lib/threads/'],
  ],
  'schema/': ['schema/'],
  'access/': ['access/', 'schema/', 'errors.ts', 'lib/'],
  'trail/': ['trail/', 'access/', 'schema/', 'errors.ts', 'lib/'],
  'api/': ['api/', 'access/', 'errors.ts', 'lib/'],
  'serving/': ['serving/', 'access/', 'schema/', 'ml/', 'errors.ts', 'lib/'],
  'resources/': ['resources/', 'serving/', 'api/', 'trail/', 'access/', 'schema/', 'ml/', 'errors.ts', 'lib/'],
  'sftp/': ['sftp/', 'resources/', 'trail/', 'access/', 'errors.ts', 'lib/'],
  'commands/': [''],
};

/** The floors of ml, the lowest first: a folder imports from those before it. ARCHITECTURE.md shows the same list. */
export const floors = [
  ...['statistics', 'trees', 'linear', 'encoder', 'vector-search'],
  ...['contract', 'graph', 'events', 'calibration', 'kinds', 'tasks', 'lake', 'links'],
  ...['features', 'heads', 'explain', 'leakage', 'network'],
  ...[
    'gfm',
    'gfm-link',
    'rfm',
    'version',
    'answers',
    'inference',
    'counterfactuals',
    'training',
    'evaluation',
    'validation',
    'monitoring',
    'export',
  ],
];
export const wiring = [
  ...['main.ts', 'app.ts', 'http.ts', 'installation.ts', 'compute.ts', 'parsing.ts', 'reading.ts', 'hashing.ts'],
  ...['config.ts', 'settings.ts', 'routes.ts', 'jobs.ts', 'dashboard.ts'],
];

/** The one place each outside package is imported from. Tests may import their own tools. */
export const doors: Readonly<Record<string, readonly string[]>> = {
  '@aws-sdk/client-s3': ['lib/storage/s3/'],
  '@duckdb/node-api': ['lib/duckdb/'],
  '@fastify/busboy': ['lib/http/'],
  '@node-rs/argon2': ['lib/crypto/'],
  '@simplewebauthn/server': ['lib/crypto/'],
  '@xmldom/xmldom': ['lib/saml/'],
  'xml-crypto': ['lib/saml/'],
  '@zxcvbn-ts/core': ['lib/crypto/'],
  '@zxcvbn-ts/language-common': ['lib/crypto/'],
  'email-providers': ['lib/mail/'],
  nodemailer: ['lib/mail/'],
  'openid-client': ['lib/oidc/'],
  otplib: ['lib/crypto/'],
  '@duckdb/node-bindings': ['lib/duckdb/'],
  assemblyscript: ['ml/trees/kernel/build.ts'],
  'onnxruntime-node': ['lib/onnx/'],
  'pg-boss': ['lib/queue/'],
  yaml: ['ml/contract/', 'ml/tasks/'],
  re2js: ['ml/contract/'],
  '@fastify/swagger': ['lib/http/'],
  'fast-json-stringify': ['lib/http/'],
  fastify: ['lib/http/'],
  typebox: ['lib/http/', 'access/', 'trail/acts/', 'api/', 'resources/'],
  pino: ['lib/http/', 'lib/queue/'],
  kysely: ['lib/db/', 'lib/queue/', 'schema/', 'access/', 'trail/', 'serving/', 'resources/'],
  ssh2: ['lib/sftp/'],
  pg: ['lib/postgres/', 'lib/db/', 'lib/queue/'],
  'pg-copy-streams': ['lib/db/'],
  'prom-client': ['lib/metrics/'],
  '@opentelemetry/api': ['lib/tracing/'],
  '@opentelemetry/exporter-trace-otlp-http': ['lib/tracing/'],
  '@opentelemetry/resources': ['lib/tracing/'],
  '@opentelemetry/sdk-trace': ['lib/tracing/'],
};

/** Tests stand beside what they test, free of the rooms; what they share lies in server/tests. */
export const forTests = /\.test\.ts$/;
/** Looks like test support, which has no place beside the product. */
export const support = /(^|\/)(samples|fixtures?|mocks?|brute-force|test-\w+)(\/|\.ts$)/;
