import { words } from '../words/words.ts';

/** What the curves and figures of a version are, for who meets them for the first time. */
export const curveWords = words(
  {
    rankingBody:
      'ROC: the cases found, against those acted on in vain. Precision: how many of the first were right; recall: how many of all were found. Lift: how many times the usual rate each tenth has.',
    calibrationBody:
      'Whether a chance of 10 % comes 10 times in 100. The error is how far said and came are apart on average; with a slope of 1 and an intercept of 0, chances are neither too bold nor shifted.',
  },
  {
    rankingBody:
      'ROC: os casos encontrados, contra aqueles em que se agiu em vão. Precisão: quantos dos primeiros estavam certos; recall: quantos de todos foram encontrados. Lift: quantas vezes a taxa usual cada décimo tem.',
    calibrationBody:
      'Se uma chance de 10 % acontece 10 vezes em 100. O erro é quanto o dito e o ocorrido se afastam em média; com inclinação 1 e intercepto 0, as chances não são ousadas demais nem deslocadas.',
  },
);
