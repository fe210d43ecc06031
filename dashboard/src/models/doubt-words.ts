import { useFormat } from '../words/format.ts';
import { useWords, words } from '../words/words.ts';
import { daysOf } from './say-chances.ts';

/** What was found of an output on later rows, in a sentence, by the code of the warning. */
export const doubtWords = words(
  {
    doubts: {
      possible_leakage: 'a column may tell the answer: on later cases it may be far worse.',
      implausibly_good: 'too good to be true: something that it reads may tell the answer.',
      worse_than_naive: 'on later cases surely worse than an answer without learning: do not go by it.',
      no_better_than_naive: 'on later cases not surely better than an answer without learning.',
      poorly_calibrated:
        'poorly calibrated: the chance itself was off on later cases. Go by the order, not by the number.',
      outcome_moved:
        'of late it comes far more often, or less, than in what was learned: the chance itself may be off.',
      calibration_unknown:
        'too few later cases of the rarer outcome to know whether the chance itself is right. Go by the order.',
    },
    inDays: (days: string) => (days === '1' ? 'in a day' : `in ${days} days`),
    more: 'What was found of this version on later cases',
  },
  {
    doubts: {
      possible_leakage: 'uma coluna pode revelar a resposta: em casos posteriores pode ser muito pior.',
      implausibly_good: 'bom demais para ser verdade: algo que é lido pode revelar a resposta.',
      worse_than_naive: 'em casos posteriores, seguramente pior que uma resposta sem aprendizado: não se guie por ela.',
      no_better_than_naive: 'em casos posteriores, não seguramente melhor que uma resposta sem aprendizado.',
      poorly_calibrated:
        'mal calibrada: em casos posteriores, a própria chance estava errada. Use a ordem, não o número.',
      outcome_moved:
        'ultimamente acontece bem mais, ou bem menos, do que no que foi aprendido: a própria chance pode estar errada.',
      calibration_unknown:
        'há poucos casos posteriores do desfecho mais raro para saber se a própria chance está certa. Use a ordem.',
    },
    inDays: (days: string) => (days === '1' ? 'em um dia' : `em ${days} dias`),
    more: 'O que se viu desta versão em casos posteriores',
  },
);

/** An output by its time ahead in words, or else by its name. */
export function useFieldName(): (output: string) => string {
  const w = useWords(doubtWords);
  const format = useFormat();
  return (output) => {
    const days = daysOf(output);
    return days === null ? output : w.inDays(format.integer(days));
  };
}
