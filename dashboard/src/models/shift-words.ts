import { words } from '../words/words.ts';

/** Of outcomes that come far more often, or far less, than they did. */
export const shiftWords = words(
  {
    moved: (rows: string, months: string, came: string, before: string, beforeMonths: string, cameBefore: string) =>
      `Of the ${rows} newest cases${months && `,${months}`}, ${came} came true; of the ${before} before${beforeMonths && `,${beforeMonths}`}, ${cameBefore}.`,
    more: 'It learned mostly from a time when the outcome was rarer: its chances may be too low now, and how well it ordered older cases says little of those to come.',
    less: 'It learned mostly from a time when the outcome was more frequent: its chances may be too high now, and how well it ordered older cases says little of those to come.',
    alike: 'The newest cases have nearly all the same outcome: they hardly show whether it tells cases apart.',
    advice:
      'Find out whether the outcome really comes so often now. Where what comes is known sooner than what does not, the newest cases are not whole yet: end the question before them (UNTIL), or send what is missing. If it is real, train again as soon as newer outcomes are known.',
  },
  {
    moved: (rows: string, months: string, came: string, before: string, beforeMonths: string, cameBefore: string) =>
      `Nos ${rows} casos mais novos${months && `,${months}`}, aconteceu em ${came}; nos ${before} de antes${beforeMonths && `,${beforeMonths}`}, em ${cameBefore}.`,
    more: 'Ela aprendeu sobretudo com um tempo em que o desfecho era mais raro: as chances podem estar baixas demais agora, e o quanto ordenou bem os casos antigos diz pouco dos que virão.',
    less: 'Ela aprendeu sobretudo com um tempo em que o desfecho era mais frequente: as chances podem estar altas demais agora, e o quanto ordenou bem os casos antigos diz pouco dos que virão.',
    alike: 'Os casos mais novos têm quase todos o mesmo desfecho: mal mostram se ela distingue os casos.',
    advice:
      'Descubra se o desfecho acontece mesmo com essa frequência agora. Onde o que acontece se sabe antes do que não acontece, os casos mais novos ainda não estão completos: termine a pergunta antes deles (UNTIL), ou envie o que falta. Se for real, treine de novo assim que houver desfechos mais novos.',
  },
);
