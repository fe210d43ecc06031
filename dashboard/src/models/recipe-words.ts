import type { Language } from '../words/language.ts';

type Meanings = Readonly<Record<string, string>>;

/** What the models of a recipe are, by its name without what it adds to them. */
const models: Readonly<Record<Language, Meanings>> = {
  en: {
    blend: 'the mean of trees and linear models',
    'few blend': 'the mean of trees and a linear model of few features',
    linear: 'linear models',
    trees: 'decision trees',
    'few trees': 'trees of few features',
    'deep trees': 'deep trees',
    'deep absolute trees': 'deep trees that learn the median',
    'absolute blend': 'the mean of trees that learn the median and linear models',
    'absolute trees': 'trees that learn the median',
    'mixed trees': 'trees that learn the mean, others the median, and a linear model',
    'poisson trees': 'trees that learn counts',
    'tweedie trees': 'trees that learn amounts, many of them zero',
    'log absolute trees': 'trees that learn the median of logarithms',
    'winsorised blend': 'the mean of trees and linear models, one of which caps extreme values',
    encoder: 'linear models of the encoder alone',
    'linear and encoder': 'linear models of features and of the encoder',
    'blend and encoder': 'the mean of trees, linear models and those of the encoder',
  },
  'pt-BR': {
    blend: 'a média de árvores e modelos lineares',
    'few blend': 'a média de árvores e um modelo linear de poucos atributos',
    linear: 'modelos lineares',
    trees: 'árvores de decisão',
    'few trees': 'árvores de poucos atributos',
    'deep trees': 'árvores profundas',
    'deep absolute trees': 'árvores profundas que aprendem a mediana',
    'absolute blend': 'a média de árvores que aprendem a mediana e modelos lineares',
    'absolute trees': 'árvores que aprendem a mediana',
    'mixed trees': 'árvores que aprendem a média, outras a mediana, e um modelo linear',
    'poisson trees': 'árvores que aprendem contagens',
    'tweedie trees': 'árvores que aprendem valores, muitos deles zero',
    'log absolute trees': 'árvores que aprendem a mediana dos logaritmos',
    'winsorised blend': 'a média de árvores e modelos lineares, um dos quais limita valores extremos',
    encoder: 'modelos lineares só do codificador',
    'linear and encoder': 'modelos lineares de atributos e do codificador',
    'blend and encoder': 'a média de árvores, modelos lineares e os do codificador',
  },
};

/** What is added to the models, by the words that a name ends in. */
const additions: Readonly<Record<Language, Meanings>> = {
  en: {
    ' and categories': 'with a linear model that reads each category by itself',
    ' and graph': 'with vectors of the graph beside them',
    ' among graph': 'with vectors of the graph among their features',
    ', every second row': 'on every second row',
    ', with earlier labels': 'reading earlier labels',
    ', without earlier labels': 'reading no earlier labels',
  },
  'pt-BR': {
    ' and categories': 'com um modelo linear que lê cada categoria por si',
    ' and graph': 'com vetores do grafo ao lado',
    ' among graph': 'com vetores do grafo entre os atributos',
    ', every second row': 'com uma de cada duas linhas',
    ', with earlier labels': 'lendo rótulos anteriores',
    ', without earlier labels': 'sem ler rótulos anteriores',
  },
};

const newest: Readonly<Record<Language, (share: string) => string>> = {
  en: (share) => `on the newest ${share} % of the rows`,
  'pt-BR': (share) => `com os ${share} % mais novos das linhas`,
};

/** What a recipe is, in a few words; null for a name that the page does not know. */
export function sayRecipe(name: string, language: Language): string | null {
  const own = models[language][name];
  if (own !== undefined) return own;
  const share = /^(.*), newest ([\d.]+)%$/.exec(name);
  const [rest, added] = share
    ? [share[1], newest[language](share[2])]
    : (Object.entries(additions[language])
        .filter(([end]) => name.endsWith(end))
        .map(([end, meaning]) => [name.slice(0, -end.length), meaning] as const)[0] ?? []);
  const said = rest === undefined ? null : sayRecipe(rest, language);
  return said && `${said}, ${added}`;
}
