import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ErrorCode, errorCodes } from '../errors.ts';
import { documentApi } from '../http.ts';
import { failureStatus } from '../lib/http/problem.ts';
import { settings } from '../settings.ts';
import { readArguments, type Usage } from './arguments.ts';
import { eventsPage } from './events-page.ts';
import { limitsPage } from './limits.ts';
import { table } from './markdown-table.ts';

export const openapiUsage = {
  usage: 'openapi [--folder .]',
  about: `Writes the reference that is made of the source: openapi.json, and in docs api-errors.md, event-types.md,
  limits.md and settings.md.

  --folder  where they go`,
  positionals: 0,
  options: { folder: 'value' },
} as const satisfies Usage;

/** Writes the reference files. Returns the exit code. */
export async function openapiCommand(args: readonly string[], say: (line: string) => void): Promise<number> {
  const { values } = readArguments(args, openapiUsage);
  const folder = resolve(values.folder ?? '.');
  for (const [name, text] of Object.entries(await makeReference())) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    say(`wrote ${file}`);
  }
  return 0;
}

/** Returns the reference files by name, made of routes, error codes, the catalog of events, limits and settings. */
export async function makeReference(): Promise<Readonly<Record<string, string>>> {
  return {
    'openapi.json': `${JSON.stringify(await documentApi(), null, 2)}\n`,
    'docs/api-errors.md': errorsPage(),
    'docs/event-types.md': eventsPage(),
    'docs/limits.md': limitsPage(),
    'docs/settings.md': settingsPage(),
  };
}

function errorsPage(): string {
  const rows = (Object.keys(errorCodes) as ErrorCode[])
    .map((code) => ({ code, status: failureStatus[errorCodes[code][0]].status, about: errorCodes[code][1] }))
    .sort((a, b) => a.status - b.status)
    .map(({ code, status, about }) => [String(status), `\`${code}\``, about]);
  return `# Errors of the API

Every refusal is a problem document (RFC 9457), sent as \`application/problem+json\`:

\`\`\`json
{
  "type": "urn:lastro:error:missing_input",
  "title": "The request asks for something that cannot be",
  "status": 422,
  "detail": "customer_id: required by this version",
  "code": "missing_input",
  "request_id": "req_0199f3a8c4d27b1e9c55d0a1b2c3d4e5",
  "errors": [{ "pointer": "/customer_id", "code": "missing_input", "detail": "is required by this version" }]
}
\`\`\`

Switch on \`code\`, which is one of those below; openapi.json lists those that each operation can answer with.
\`detail\` is for people and may be worded better some day. A \`pointer\` is a JSON pointer into the body you sent,
or begins with \`/path/\` or \`/query/\`. \`request_id\` is also in the header \`Request-Id\`, which every answer has.
What does not exist and what belongs to another workspace are refused alike, as \`not_found\`.

Answers with 503 and 429 say in \`Retry-After\` how many seconds to wait. Other refusals will be the same again.

${table(['Status', 'Code', 'Meaning'], rows)}
`;
}

function settingsPage(): string {
  const rows = settings.map(({ name, fallback, about }) => [
    `\`${name}\``,
    fallback === '' ? '' : `\`${fallback}\``,
    about,
  ]);
  const secrets = settings.filter(({ isSecret }) => isSecret).map(({ name }) => `\`${name}\``);
  return `# Settings

The service reads its settings from the environment when it starts. One that cannot be used is named, and the service does
not start. ${secrets.slice(0, -1).join(', ')} and ${secrets.at(-1)} may stand in files instead: \`DATABASE_URL_FILE\` names the file of the
first. S3 is signed in to as the SDK of AWS does everywhere: \`AWS_ACCESS_KEY_ID\` with \`AWS_SECRET_ACCESS_KEY\`, a file that
\`AWS_SHARED_CREDENTIALS_FILE\` names, or the role of the machine.

${table(['Variable', 'Default', 'Meaning'], rows)}
`;
}
