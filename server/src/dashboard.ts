/** The door for people: the built dashboard, served on the API's own origin where no route of the API is. */
import { createHash } from 'node:crypto';
import type { Answer, Head } from './lib/http/server.ts';
import { fileOf, readStaticFiles, type StaticFile, type StaticFiles, sendStaticFile } from './lib/http/static-files.ts';

export type Dashboard = {
  /** Answers a GET or HEAD of an address that no route has; null where the dashboard has nothing there either. */
  answer(head: Pick<Head, 'url' | 'headers'>): Promise<Answer> | null;
  /** Whether it is there to be served. */
  isBuilt(): boolean;
  /** From now on, until `load`, pages say that it is being built, unless there is an earlier build. */
  awaitBuild(): void;
  /** Reads the folder again. Throws Failure 'invalid' when it holds more than a dashboard. */
  load(): void;
};

const page = 'index.html';
/** What a build says of itself: for the service, and nobody else's business. */
const unserved = new Set([page, 'csp.json', 'build.json']);
/** Names have a hash of their content, so that what they name stays as it is. */
const hashed = /^assets\//;
const forever = { 'cache-control': 'public, max-age=31536000, immutable' };
const askAgain = { 'cache-control': 'no-cache' };
const retrySeconds = 2;

const pageHeaders = {
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
};

/** Opens the dashboard built in a folder, which need not be there. Throws Failure 'invalid' as `load` does. */
export function openDashboard(folder: string): Dashboard {
  let files: StaticFiles | null = null;
  let pagePolicy = '';
  let isAwaited = false;
  const load = (): void => {
    isAwaited = false;
    const read = readStaticFiles(folder);
    files = read?.has(page) ? read : null;
    pagePolicy = policyOf(hashesIn(files?.get('csp.json')));
  };
  load();
  return {
    answer(head) {
      const path = pathIn(head.url);
      if (path === null) return null;
      const file = unserved.has(path) ? undefined : files?.get(path);
      if (file) return sendStaticFile(file, head, hashed.test(path) ? forever : askAgain);
      if (hashed.test(path) || !takesPage(head)) return null;
      if (files !== null)
        return sendStaticFile(files.get(page)!, head, {
          ...{ ...askAgain, ...pageHeaders, 'content-security-policy': pagePolicy },
        });
      return isAwaited ? sendWaitingPage(head) : null;
    },
    isBuilt: () => files !== null,
    awaitBuild: () => {
      isAwaited = true;
    },
    load,
  };
}

/** The path without its first slash; null for one that no page has. Pages may name keys of customers, encoded. */
function pathIn(url: string): string | null {
  const [path] = url.split(/[?#]/, 1);
  return path!.startsWith('/') && !/^\/\/|\\|%00/.test(path!) ? path!.slice(1) : null;
}

function takesPage({ headers }: Pick<Head, 'headers'>): boolean {
  return /\btext\/html\b/i.test(String(headers.accept ?? ''));
}

/** The hashes of the scripts that stand in the page itself. */
function hashesIn(file: StaticFile | undefined): readonly string[] {
  if (!file) return [];
  const { scriptHashes } = JSON.parse(file.bytes.toString('utf8')) as { scriptHashes?: readonly unknown[] };
  return (scriptHashes ?? []).map(String).filter((hash) => /^sha(256|384|512)-[\w+/-]+=*$/.test(hash));
}

/** What the page may load: of this origin alone, and no script but its own. */
function policyOf(scriptHashes: readonly string[]): string {
  return [
    "default-src 'self'",
    ["script-src 'self' 'wasm-unsafe-eval'", ...scriptHashes.map((hash) => `'${hash}'`)].join(' '),
    "style-src 'self'",
    // Bars and chips are as long as their value says, which only their own style can tell.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; ');
}

const waitingStyle =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto 0;padding:0 1.5rem;color-scheme:light dark}';
// A browser's own refresh does not load a page anew whose address has a fragment, as that of a sign-in link has.
const waitingScript = `setTimeout(()=>location.reload(),${retrySeconds * 1_000})`;
const waitingPage = fileOf(
  Buffer.from(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Lastro</title>
<style>${waitingStyle}</style>
<script>${waitingScript}</script>
<p>The dashboard is being built. This page shows it in some seconds.</p>
<p lang="pt-BR">O painel está sendo montado. Esta página o mostra em alguns segundos.</p>
`),
  'text/html; charset=utf-8',
);
const [waitingStyleHash, waitingScriptHash] = [waitingStyle, waitingScript].map((text) =>
  createHash('sha256').update(text).digest('base64'),
);

async function sendWaitingPage(head: Pick<Head, 'headers'>): Promise<Answer> {
  const answer = await sendStaticFile(
    waitingPage,
    { headers: { ...head.headers, 'if-none-match': undefined } },
    {
      ...{ ...pageHeaders, 'cache-control': 'no-store', 'retry-after': String(retrySeconds) },
      'content-security-policy': `default-src 'none'; style-src 'sha256-${waitingStyleHash}'; script-src 'sha256-${waitingScriptHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    },
  );
  return { ...answer, status: 503 };
}
