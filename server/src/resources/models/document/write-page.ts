import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../lib/mail/html.ts';
import type { Block, ModelDocument } from './blocks.ts';

const style = `body{font:13px/1.5 system-ui,sans-serif;color:#111;max-width:54rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;margin:0 0 1rem}h2{font-size:1.15rem;margin:2rem 0 .5rem;border-bottom:1px solid #111}
table{width:100%;border-collapse:collapse;margin:.75rem 0}caption{text-align:left;font-weight:600;padding:.25rem 0}
th,td{padding:.25rem .5rem .25rem 0;border-bottom:1px solid #ccc;text-align:left;vertical-align:top;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:minmax(10rem,max-content) auto;gap:.15rem 1.5rem;margin:.5rem 0}dt{color:#555}dd{margin:0;overflow-wrap:anywhere}
@page{size:A4;margin:2cm}@media print{body{margin:0;max-width:none}h2{break-after:avoid}tr,dt,dd,li{break-inside:avoid}}`;

/** The headers of the page. It runs no script, loads nothing, and has this one style. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    `default-src 'none'`,
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    ...[`base-uri 'none'`, `form-action 'none'`, `frame-ancestors 'none'`],
  ].join('; '),
};

/** Writes a document as a page to print. */
export function writePage({ language, title, about, sections }: ModelDocument): string {
  const body = [
    `<h1>${escapeHtml(title)}</h1>`,
    ...about.map(blockOf),
    ...sections.map(
      ({ heading, blocks }, at) =>
        `<section><h2>${at + 1}. ${escapeHtml(heading)}</h2>\n${blocks.map(blockOf).join('\n')}</section>`,
    ),
  ].join('\n');
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body>${body}</body></html>
`;
}

function blockOf(block: Block): string {
  switch (block.kind) {
    case 'text':
      return `<p>${escapeHtml(block.text)}</p>`;
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;
    case 'facts':
      return `<dl>${block.facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>`;
    case 'table': {
      const { title, head, rows } = block;
      const caption = title === undefined ? '' : `<caption>${escapeHtml(title)}</caption>`;
      const cells = (of: readonly string[], tag: 'th' | 'td') =>
        `<tr>${of.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
      return `<table>${caption}<thead>${cells(head, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table>`;
    }
  }
}
