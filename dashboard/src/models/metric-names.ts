import { words } from '../words/words.ts';

/** How metrics are called, and what the naive answers are. */
export const metricWords = words(
  {
    names: {
      auroc: 'AUROC',
      average_precision: 'Average precision',
      kolmogorov_smirnov: 'KS',
      log_loss: 'Log loss',
      brier: 'Brier score',
      accuracy: 'Accuracy',
      f1: 'F1',
      mae: 'Mean absolute error',
      rmse: 'RMSE',
      r2: 'R²',
      multiclass_accuracy: 'Accuracy',
      multiclass_macro_f1: 'Macro F1',
      multiclass_log_loss: 'Log loss',
    },
    about: {
      auroc: 'The chance that a positive is ranked above a negative. 0.5 is a coin.',
      average_precision: 'The mean precision over all recalls: how clean the top of the ranking is.',
      kolmogorov_smirnov: 'The largest gap between positives and negatives found down to a threshold.',
      log_loss: 'How surprised the probabilities were. Less is better.',
      brier: 'The mean squared error of probabilities. Less is better.',
      accuracy: 'The share of right answers.',
      f1: 'The harmonic mean of precision and recall.',
      mae: 'How far off a prediction is on average. Less is better.',
      rmse: 'The same, where large errors weigh more. Less is better.',
      r2: 'The share of the variance that is explained.',
      multiclass_accuracy: 'The share of right classes.',
      multiclass_macro_f1: 'F1 of each class, averaged over classes.',
      multiclass_log_loss: 'How surprised the probabilities were. Less is better.',
    },
    naive: {
      constant: 'one answer for all',
      own_mean: 'the mean of its own earlier labels',
      own_last: 'its own last label',
      referred_mean: 'the mean of those that refer to the same',
    },
    gain: (gain: string, low: string, high: string) => `better by ${gain} (${low} to ${high})`,
    notSure: (gain: string, low: string, high: string) => `not surely better: ${gain} (${low} to ${high})`,
  },
  {
    names: {
      auroc: 'AUROC',
      average_precision: 'Precisão média',
      kolmogorov_smirnov: 'KS',
      log_loss: 'Log loss',
      brier: 'Escore de Brier',
      accuracy: 'Acurácia',
      f1: 'F1',
      mae: 'Erro absoluto médio',
      rmse: 'RMSE',
      r2: 'R²',
      multiclass_accuracy: 'Acurácia',
      multiclass_macro_f1: 'F1 macro',
      multiclass_log_loss: 'Log loss',
    },
    about: {
      auroc: 'A chance de um positivo ficar acima de um negativo. 0,5 é cara ou coroa.',
      average_precision: 'A precisão média em todos os recalls: quão limpo é o topo da lista.',
      kolmogorov_smirnov: 'A maior distância entre positivos e negativos encontrados até um corte.',
      log_loss: 'Quanto as probabilidades se surpreenderam. Menos é melhor.',
      brier: 'O erro quadrático médio das probabilidades. Menos é melhor.',
      accuracy: 'A proporção de respostas certas.',
      f1: 'A média harmônica de precisão e recall.',
      mae: 'Quanto uma previsão erra em média. Menos é melhor.',
      rmse: 'O mesmo, com peso maior para erros grandes. Menos é melhor.',
      r2: 'A parte da variância que é explicada.',
      multiclass_accuracy: 'A proporção de classes certas.',
      multiclass_macro_f1: 'O F1 de cada classe, na média das classes.',
      multiclass_log_loss: 'Quanto as probabilidades se surpreenderam. Menos é melhor.',
    },
    naive: {
      constant: 'uma resposta para todos',
      own_mean: 'a média dos próprios rótulos anteriores',
      own_last: 'o próprio último rótulo',
      referred_mean: 'a média dos que se ligam ao mesmo',
    },
    gain: (gain: string, low: string, high: string) => `melhor em ${gain} (${low} a ${high})`,
    notSure: (gain: string, low: string, high: string) => `não seguramente melhor: ${gain} (${low} a ${high})`,
  },
);

/** The name of a metric; one that is not known is said as the service writes it. */
export function nameOfMetric(names: Readonly<Record<string, string>>, metric: string | null): string {
  return metric === null ? '' : (names[metric] ?? metric);
}

/** How kinds of tasks and models are called, and what each answers. */
export const kindWords = words(
  {
    names: {
      binary: 'Yes or no',
      regression: 'Number',
      multiclass: 'Category',
      credit: 'Credit',
      fraud: 'Fraud',
      lead_scoring: 'Lead scoring',
      field_sales: 'Field sales',
      paid_media: 'Paid media',
    },
    about: {
      binary: 'The probability that something happens.',
      regression: 'How many, how much, or how long until.',
      multiclass: 'Which of several: the most probable, and how probable each is.',
      credit: 'A score of 0 to 1000 with its band, and the probability of default within each window.',
      fraud: 'A fraud score with what speaks for it, and the rings it may belong to.',
      lead_scoring: 'The chance of a conversion, and what the lead may be worth.',
      field_sales: 'Whom to visit: propensity, growth, and warm paths in the network.',
      paid_media: 'Whom to advertise to: lead score, expected value, churn.',
    },
  },
  {
    names: {
      binary: 'Sim ou não',
      regression: 'Número',
      multiclass: 'Categoria',
      credit: 'Crédito',
      fraud: 'Fraude',
      lead_scoring: 'Pontuação de leads',
      field_sales: 'Vendas em campo',
      paid_media: 'Mídia paga',
    },
    about: {
      binary: 'A probabilidade de algo acontecer.',
      regression: 'Quantos, quanto, ou quanto tempo até.',
      multiclass: 'Qual entre vários: o mais provável, e quão provável é cada um.',
      credit: 'Um score de 0 a 1000 com sua faixa, e a probabilidade de inadimplência em cada janela.',
      fraud: 'Um score de fraude com o que pesa a favor, e os anéis a que pode pertencer.',
      lead_scoring: 'A chance de conversão, e quanto o lead pode valer.',
      field_sales: 'Quem visitar: propensão, crescimento e caminhos na rede.',
      paid_media: 'Para quem anunciar: score do lead, valor esperado, evasão.',
    },
  },
);

export function nameOfKind(names: Readonly<Record<string, string>>, kind: string): string {
  return names[kind] ?? kind;
}
