import { type Block, list, table, text } from '../blocks.ts';
import type { Say } from '../say.ts';
import type { Told } from '../told.ts';

const codesShown = 60;

/** The codes by which answers are explained, the most important first, and what counts without being told. */
export function reasons({ report }: Told, say: Say): Block[] {
  const { words, number, percent } = say;
  const w = words.reasons;
  const told = Map.groupBy(
    report.features.filter(({ code }) => code !== null),
    ({ code }) => code!,
  );
  const codes = [...told]
    .map(([code, features]) => ({
      ...{ code, features, importance: features.reduce((sum, feature) => sum + feature.importance, 0) },
    }))
    .sort((a, b) => b.importance - a.importance || (a.code < b.code ? -1 : 1));
  if (report.features.length === 0) return [text(`${words.notKept}.`)];
  const hidden = report.features.filter((feature) => feature.protected).flatMap(({ columns }) => columns);
  return [
    text(w.body),
    ...(codes.length > codesShown ? [text(w.shown(number(codesShown), number(codes.length)))] : []),
    table(
      [w.code, w.importance, w.features, w.description],
      codes
        .slice(0, codesShown)
        .map(({ code, features, importance }) => [
          code,
          percent(importance),
          number(features.length),
          descriptionOf(features[0], say),
        ]),
    ),
    ...(hidden.length === 0 ? [] : [text(`${w.hidden}:`), list([...new Set(hidden)])]),
  ];
}

/** What a feature reads. Versions of earlier releases have English words alone, and their columns stand in place. */
export function descriptionOf(
  { description, said, columns }: Told['report']['features'][number],
  { language }: Say,
): string {
  return (language === 'en' ? description : said?.[language]) ?? columns.join(', ');
}
