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
      auroc:
        'Of two cases, one in which it came and one in which it did not, how often the first is put higher: 0.5 is a coin, 1 is perfect. Also called AUC; the Gini of credit is twice this, less 1.',
      average_precision:
        'How clean the top of the ranking is: the share of cases in which it came among the first ones, averaged over how far down one goes.',
      kolmogorov_smirnov:
        'The largest distance between the cases in which it came and those in which it did not, over all places where the ranking can be cut. 0 parts nothing, 1 parts all.',
      log_loss: 'How far the chances were from what came; to be sure and wrong costs most. Less is better.',
      brier: 'How far the chances were from what came, squared and averaged. Less is better.',
      accuracy: 'The share of right answers.',
      f1: 'Two shares in one number: how many of those found were right, and how many of the right ones were found. 1 is perfect.',
      mae: 'How far off a prediction is on average. Less is better.',
      rmse: 'How far off a prediction is, where large errors weigh more. Less is better.',
      r2: 'The share of the differences between cases that is foreseen: 1 is all, 0 as much as the mean for everybody.',
      multiclass_accuracy: 'The share of right classes.',
      multiclass_macro_f1: 'F1 of each class, averaged over classes.',
      multiclass_log_loss: 'How far the chances were from what came; to be sure and wrong costs most. Less is better.',
    },
    naive: {
      constant: 'one answer for all',
      own_mean: 'the mean of its own earlier outcomes',
      own_last: 'its own last outcome',
      referred_mean: 'the mean of those that refer to the same',
    },
    gain: (gain: string, low: string, high: string) => `better by ${gain} (${low} to ${high})`,
    lead: (gain: string, low: string, high: string) => `lead: ${gain} (${low} to ${high})`,
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
      auroc:
        'De dois casos, um em que aconteceu e outro em que não, quantas vezes o primeiro fica acima: 0,5 é cara ou coroa, 1 é perfeito. Também chamada AUC; o Gini do crédito é o dobro disto, menos 1.',
      average_precision:
        'Quão limpo é o topo da lista: a parcela dos casos em que aconteceu entre os primeiros, na média de até onde se desce.',
      kolmogorov_smirnov:
        'A maior distância entre os casos em que aconteceu e os em que não, em todos os pontos em que a lista pode ser cortada. 0 não separa nada, 1 separa tudo.',
      log_loss: 'Quanto as chances ficaram longe do que aconteceu; ter certeza e errar custa mais. Menos é melhor.',
      brier: 'Quanto as chances ficaram longe do que aconteceu, ao quadrado e na média. Menos é melhor.',
      accuracy: 'A proporção de respostas certas.',
      f1: 'Duas parcelas em um número: quantos dos encontrados estavam certos e quantos dos certos foram encontrados. 1 é perfeito.',
      mae: 'Quanto uma previsão erra em média. Menos é melhor.',
      rmse: 'Quanto uma previsão erra, com peso maior para erros grandes. Menos é melhor.',
      r2: 'A parte das diferenças entre os casos que é prevista: 1 é tudo, 0 é tanto quanto a média para todos.',
      multiclass_accuracy: 'A proporção de classes certas.',
      multiclass_macro_f1: 'O F1 de cada classe, na média das classes.',
      multiclass_log_loss:
        'Quanto as chances ficaram longe do que aconteceu; ter certeza e errar custa mais. Menos é melhor.',
    },
    naive: {
      constant: 'uma resposta para todos',
      own_mean: 'a média dos próprios desfechos anteriores',
      own_last: 'o próprio último desfecho',
      referred_mean: 'a média dos que se ligam ao mesmo',
    },
    gain: (gain: string, low: string, high: string) => `melhor em ${gain} (${low} a ${high})`,
    lead: (gain: string, low: string, high: string) => `vantagem: ${gain} (${low} a ${high})`,
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
