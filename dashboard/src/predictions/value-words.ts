import type { Language } from '../words/language.ts';

/** What the service answers with by a name of its own, in words; the classes of a model of somebody's keep theirs. */
const values: Readonly<Record<string, Readonly<Record<Language, Readonly<Record<string, string>>>>>> = {
  // What was known of a row's inputs. How much history there is of it is another number.
  data_coverage: {
    en: { full: 'all known', partial: 'some unknown or without events', none: 'nothing known' },
    'pt-BR': { full: 'todas conhecidas', partial: 'algumas desconhecidas ou sem eventos', none: 'nada se sabe' },
  },
  growth_signal: {
    en: { contraction: 'shrinks', stable: 'holds', expansion: 'grows' },
    'pt-BR': { contraction: 'encolhe', stable: 'estável', expansion: 'cresce' },
  },
  segment: {
    en: {},
    'pt-BR': Object.fromEntries(
      Object.entries({ low: 'baixo', mid: 'médio', high: 'alto' }).flatMap(([worth, valor]) =>
        Object.entries({ cold: 'frio', warm: 'morno', hot: 'quente' }).map(([warmth, calor]) => [
          `${worth} value, ${warmth}`,
          `valor ${valor}, ${calor}`,
        ]),
      ),
    ),
  },
};

export function sayValue(field: string, value: string, language: Language): string {
  return values[field]?.[language][value] ?? value;
}
