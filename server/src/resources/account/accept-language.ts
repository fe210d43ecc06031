import type { Language } from '../mails/texts.ts';

/** Which language of the service a browser wants most, by its header Accept-Language; undefined where it wants none. */
export function languageAccepted(header: string | undefined): Language | undefined {
  const wanted = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => {
      const [, language, weight = '1'] = /^\s*(en|pt)(?:-[\w-]*)?\s*(?:;\s*q=([\d.]+))?\s*$/.exec(part) ?? [];
      return { language, weight: Number(weight) };
    })
    .filter(({ language, weight }) => language !== undefined && weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return wanted[0] && (wanted[0].language === 'pt' ? 'pt-BR' : 'en');
}
