import { createHash } from 'node:crypto';
import type { Meter } from '../meters/meter.ts';
import type { Charge } from '../price-plans/charge.ts';
import { decimalOf } from '../price-plans/money.ts';
import type { Invoice } from './invoice.ts';

export const pageLanguages = ['pt-BR', 'en'] as const;
export type PageLanguage = (typeof pageLanguages)[number];

const style = `body{font:14px/1.5 system-ui,sans-serif;color:#111;max-width:50rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;margin:0}table{width:100%;border-collapse:collapse;margin-top:2rem}
th,td{padding:.4rem .5rem;border-bottom:1px solid #ccc;text-align:left;vertical-align:top}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}tfoot td{border-bottom:0;font-weight:600}
dl{display:grid;grid-template-columns:max-content auto;gap:.2rem 1.5rem}dt{color:#555}dd{margin:0}
footer{margin-top:2rem;color:#555}@page{size:A4;margin:2cm}@media print{body{margin:0;max-width:none}}`;

/** The headers of the page. It runs no script, loads nothing, and has this one style. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    `default-src 'none'`,
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    ...[`base-uri 'none'`, `form-action 'none'`, `frame-ancestors 'none'`],
  ].join('; '),
};

/** An invoice as a page to print. */
export function invoicePage(invoice: Invoice, language: PageLanguage): string {
  const say = texts[language];
  const format = formatsOf(language, invoice.currency);
  const title = invoice.number === null ? say.draft : `${say.invoice} ${invoice.number}`;
  const about: [string, string | null][] = [
    [say.billedTo, invoice.billed_to],
    [say.month, format.month(invoice.month)],
    [say.issuedAt, invoice.issued_at && format.day(invoice.issued_at)],
    [say.plan, `${invoice.price_plan} (${invoice.price_plan_version})`],
  ];
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${escaped(title)}</title><style>${style}</style></head>
<body><h1>${escaped(title)}</h1>
<dl>${about.map(([name, value]) => (value === null ? '' : `<dt>${name}</dt><dd>${escaped(value)}</dd>`)).join('')}</dl>
<table><thead><tr><th>${say.item}</th><th class="n">${say.quantity}</th><th class="n">${say.price}</th><th class="n">${say.amount}</th></tr></thead>
<tbody>${invoice.lines.map((line) => rowOf(line, say, format)).join('')}</tbody>
<tfoot><tr><td colspan="3">${say.total}</td><td class="n">${format.money(invoice.total_cents)}</td></tr></tfoot></table>
<footer>${invoice.number === null ? say.aboutDraft : ''} ${say.aboutFiscal}</footer></body></html>
`;
}

function rowOf({ meter, fromUnit, upTo, ...line }: Charge, say: Texts, format: Formats): string {
  const isWhole = fromUnit === 1 && upTo === null;
  const range = isWhole ? '' : say.tier(format.count(fromUnit), upTo === null ? null : format.count(upTo));
  const item = meter === null ? say.fee : `${say.meters[meter]}${range}`;
  const price = `${format.price(line.price)}${line.per === 1 ? '' : ` / ${format.count(line.per)}`}`;
  const cells = [meter === null ? '' : format.count(line.quantity), price, format.money(line.amountCents)];
  return `<tr><td>${item}</td>${cells.map((cell) => `<td class="n">${cell}</td>`).join('')}</tr>`;
}

type Formats = ReturnType<typeof formatsOf>;

function formatsOf(language: PageLanguage, currency: string) {
  const money = new Intl.NumberFormat(language, { style: 'currency', currency });
  const price = new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits: 6 });
  const count = new Intl.NumberFormat(language);
  const month = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' });
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  return {
    // A text keeps every digit of what a number would round.
    money: (cents: number) => money.format(decimalOf(BigInt(cents)) as `${number}`),
    price: (decimal: string) => price.format(decimal as `${number}`),
    count: (value: number) => count.format(value),
    month: (first: string) => month.format(new Date(`${first}T00:00:00Z`)),
    day: (at: Date) => day.format(at),
  };
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (sign) => entities[sign]);
}

const english = {
  ...{ invoice: 'Invoice', draft: 'Draft of an invoice', billedTo: 'Billed to', month: 'Month', issuedAt: 'Issued' },
  ...{ plan: 'Price plan', item: 'Item', quantity: 'Quantity', price: 'Price', amount: 'Amount', total: 'Total' },
  fee: 'Monthly fee',
  aboutDraft: 'As it would be now: what is used until the end of the month is added.',
  aboutFiscal: 'This is no fiscal document.',
  tier: (from: string, upTo: string | null) => `, from ${from} ${upTo === null ? 'on' : `to ${upTo}`}`,
  meters: {
    predictions: 'Predictions',
    batch_rows: 'Rows scored in batches',
    embeddings: 'Embeddings',
    storage_megabyte_days: 'Storage, megabyte-days',
    training_minutes: 'Minutes of training',
    training_runs: 'Training runs',
  } as Readonly<Record<Meter, string>>,
};
type Texts = typeof english;

const texts: Readonly<Record<PageLanguage, Texts>> = {
  en: english,
  'pt-BR': {
    ...{ invoice: 'Fatura', draft: 'Rascunho de fatura', billedTo: 'Cliente', month: 'Mês', issuedAt: 'Emitida em' },
    ...{ plan: 'Plano', item: 'Item', quantity: 'Quantidade', price: 'Preço', amount: 'Valor', total: 'Total' },
    fee: 'Mensalidade',
    aboutDraft: 'Como seria agora: o que for usado até o fim do mês será acrescentado.',
    aboutFiscal: 'Este não é um documento fiscal.',
    tier: (from, upTo) => (upTo === null ? `, a partir de ${from}` : `, de ${from} a ${upTo}`),
    meters: {
      predictions: 'Predições',
      batch_rows: 'Linhas pontuadas em lotes',
      embeddings: 'Embeddings',
      storage_megabyte_days: 'Armazenamento, megabytes-dia',
      training_minutes: 'Minutos de treinamento',
      training_runs: 'Treinamentos',
    },
  },
};
