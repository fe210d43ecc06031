import { createHash } from 'node:crypto';
import { escapeHtml } from '../../lib/mail/html.ts';
import { eventTypes } from '../../trail/catalog.ts';
import type { Unsubscription } from './unsubscribe.ts';
import { pageWords } from './words.ts';

const style = 'body{font-family:sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem}';
const styleHash = createHash('sha256').update(style).digest('base64');

/** Headers of the pages: no script, nothing from elsewhere, in no frame, and told to nobody. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

export const pageExample = '<!doctype html>\n<html lang="en">…</html>\n';

/** The page that asks before it turns anything off: programs that look into mails open links. */
export function askingPage(found: Unsubscription): string {
  const words = pageWords[found.language];
  const form = `<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${words.button}</button></form>`;
  return page(found, [`<p>${escapeHtml(words.ask(found.email))}</p>`, listOf(found), form]);
}

export function donePage(found: Unsubscription): string {
  const words = pageWords[found.language];
  return page(found, [`<p>${words.done}</p>`, listOf(found), `<p>${words.rest}</p>`]);
}

function listOf({ types }: Unsubscription): string {
  return `<ul>${types.map((type) => `<li>${escapeHtml(type)}: ${escapeHtml(eventTypes[type].means)}</li>`).join('')}</ul>`;
}

function page({ language }: Unsubscription, parts: readonly string[]): string {
  const { title } = pageWords[language];
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style></head>
<body><h1>${title}</h1>
${parts.join('\n')}
</body></html>
`;
}
