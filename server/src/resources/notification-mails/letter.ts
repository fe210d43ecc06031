import { escapeHtml } from '../../lib/mail/html.ts';
import type { Mail } from '../../lib/mail/mail.ts';
import type { App } from '../app.ts';
import type { ClaimedMail, MailItem, Receiver } from './sql.ts';
import { unsubscribeUrl } from './unsubscribe.ts';
import { type MailWords, mailWords } from './words.ts';

/** Most notifications that one mail lists. */
export const listedMax = 1_000;

/**
 * The mail that tells somebody of notifications: as text and as HTML, with a link by which mails about these types are
 * turned off (RFC 2369), by programs in one step (RFC 8058).
 */
export function writeMail(
  app: Pick<App, 'keys' | 'publicUrl' | 'unsubscribeAddress'>,
  { id, is_digest }: Pick<ClaimedMail, 'id' | 'is_digest'>,
  { email, language, place }: Receiver,
  items: readonly MailItem[],
): Mail {
  const words = mailWords[language];
  const url = unsubscribeUrl(app, id);
  const [first] = items;
  const title = is_digest && items.length > 1 ? words.several(items.length) : first.title;
  const listed = items.slice(0, listedMax).map((item) => ({ ...item, url: linkOf(app, item) }));
  const rest = items.length - listed.length;
  const told = { words, place, url, listed, rest };
  const mailto = app.unsubscribeAddress === null ? '' : `, <mailto:${app.unsubscribeAddress}?subject=${id}>`;
  return {
    ...{ to: email, id, subject: oneLineOf(`[${place}] ${title}`) },
    ...{ text: asText(told), html: asHtml(told, language) },
    headers: { 'List-Unsubscribe': `<${url}>${mailto}`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  };
}

type Told = {
  readonly words: MailWords;
  readonly place: string;
  readonly url: string;
  readonly listed: readonly (MailItem & { readonly url: string | null })[];
  readonly rest: number;
};

function asText({ words, place, url, listed, rest }: Told): string {
  const parts = listed.map(({ title, body, url: link }) =>
    [title, '', body, ...(link === null ? [] : ['', link])].join('\n'),
  );
  if (rest > 0) parts.push(words.more(rest));
  const foot = `${words.why(place)}\n${words.turnOff}: ${url}`;
  return `${[...parts, foot].join('\n\n----\n\n')}\n\nLastro\n`;
}

function asHtml({ words, place, url, listed, rest }: Told, language: string): string {
  const parts = listed.map(({ title, body, url: link, created_at }) => {
    const open = link === null ? '' : `<p><a href="${escapeHtml(link)}">${escapeHtml(words.open)}</a></p>`;
    const lines = escapeHtml(body).replaceAll('\n', '<br>\n');
    return `<h3>${escapeHtml(title)}</h3>\n<p><small>${created_at.toISOString()}</small></p>\n<p>${lines}</p>\n${open}`;
  });
  if (rest > 0) parts.push(`<p>${escapeHtml(words.more(rest))}</p>`);
  const off = `<a href="${escapeHtml(url)}">${escapeHtml(words.turnOff)}</a>`;
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"></head><body>
${parts.join('\n<hr>\n')}
<hr>
<p><small>${escapeHtml(words.why(place))} ${off}</small></p>
<p>Lastro</p>
</body></html>
`;
}

function linkOf(app: Pick<App, 'publicUrl'>, { link }: MailItem): string | null {
  return link === null ? null : `${app.publicUrl()}${link}`;
}

/** A subject is of one line, whatever places and things are called. */
function oneLineOf(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim();
}
