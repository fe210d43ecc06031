import type { Language } from '../words/language.ts';

/** What the service and its demo say of fields, in Portuguese; other descriptions are those of a contract. */
const sentences: Readonly<Record<string, string>> = {
  'Predict as of the end of this day.': 'Prever como no fim deste dia.',
  'Nothing after the end of this day is read. The row itself stands at its own time.':
    'Nada depois do fim deste dia é lido. A própria linha fica no seu tempo.',
  'Key of the row, if it has one yet; its own record is kept out of its history.':
    'Chave da linha, se já tem uma; o seu próprio registro fica fora do seu histórico.',
  'The most probable class.': 'A classe mais provável.',
  'Higher means lower risk.': 'Mais alto quer dizer menos risco.',
  'Probability of fraud.': 'Probabilidade de fraude.',
  'Probability that the prospect buys.': 'Probabilidade de que o prospect compre.',
  'Probability that the lead converts.': 'Probabilidade de que o lead converta.',
  'Probability that the customer leaves.': 'Probabilidade de que o cliente saia.',
  'Expected lifetime value, in BRL.': 'Valor esperado do cliente (lifetime value), em BRL.',
  'Decile of the expected value among the training cohort; 10 is the highest.':
    'Decil do valor esperado entre os casos do treinamento; 10 é o mais alto.',
  'Least and greatest expected value of the decile, in BRL.': 'Menor e maior valor esperado do decil, em BRL.',
  'Thirds of the training cohort by expected value and by score: whom to treat alike.':
    'Terços dos casos do treinamento por valor esperado e por score: quem tratar do mesmo modo.',
  'What the window ahead is most likely to be against the one before it.':
    'O que a janela à frente será mais provavelmente em relação à anterior.',
  'Warm paths: shared rows with existing customers, one per row and customer.':
    'Caminhos de contato: linhas em comum com clientes existentes, um por linha e cliente.',
  'Links over at most three shared rows to known bad actors, and suspicious groups. Files hold the list as JSON text.':
    'Ligações, por no máximo três linhas em comum, a fraudadores conhecidos, e grupos suspeitos. Em arquivos a lista é um texto JSON.',
  'What moved the answer most: a list of sentences, the strongest first. Files hold the list as JSON text.':
    'O que mais moveu a resposta: uma lista de frases, a mais forte primeiro. Em arquivos a lista é um texto JSON.',
  // Versions made before say of these two what follows.
  'Whether what the model reads of this row was known: its inputs, the entities that it names, and events of theirs.':
    'Se era conhecido o que o modelo lê desta linha: as suas entradas, as entidades que ela cita e os eventos delas.',
  "Share of the model's importance that comes by what was known of this row, 0 to 1.":
    'Parte da importância do modelo que vem do que se sabia desta linha, de 0 a 1.',
  'Inputs: whether they were given, and whom they name was in the data with events (full). It says nothing of how much history there is.':
    'Entradas: se foram informadas, e se quem elas citam estava nos dados, com eventos (full). Não diz quanto histórico há.',
  "History: the share of the model's importance that comes by what has a value for this row, 0 to 1.":
    'Histórico: a parte da importância do modelo que vem do que tem valor para esta linha, de 0 a 1.',
  'The moment the prediction is made for.': 'O momento para o qual a previsão é feita.',
  'CNPJ of a company, CPF of a person. Made up.': 'CNPJ de uma empresa, CPF de uma pessoa. Inventados.',
  'Day of foundation or of birth.': 'Dia da fundação ou do nascimento.',
  'Monthly revenue or income, declared when joining.': 'Receita ou renda mensal, declarada na entrada.',
  'Always true: nobody in this file exists.': 'Sempre verdadeiro: ninguém neste arquivo existe.',
  'Deposits made in the quarter.': 'Depósitos feitos no trimestre.',
  'Negative when paid early.': 'Negativo quando pago antes.',
};

type Form = readonly [RegExp, (...parts: readonly string[]) => string];

const forms: readonly Form[] = [
  [
    /^(.+) Dates the row(.*): required unless reference_date is given\.$/,
    (about, by) =>
      `${sayIn(about)} Data a linha${by === '' ? '' : ' pela linha que cita'}: obrigatória se reference_date não é informada.`,
  ],
  [/^Key of (\S+)\.$/, (table) => `Chave de ${table}.`],
  [/^Column (\S+) of (\S+)\.$/, (column, table) => `Coluna ${column} de ${table}.`],
  [
    /^In place of what the model's own encoder \((.+)\) makes of the row: (\d+) numbers of length 1, /,
    (own, count) =>
      `No lugar do que o codificador do próprio modelo (${own}) faz da linha: ${count} números de norma 1, como lista ou como float32 (little-endian) em base64.`,
  ],
  [
    /^The model_snapshot that (\S+) came with: /,
    (input) =>
      `O model_snapshot que veio com ${input}: vetores de outro codificador dizem outra coisa e são recusados.`,
  ],
  [
    /^Band of the score, the safest first: (.+)\.$/,
    (bands) => `Faixa do score, a mais segura primeiro: ${bands.replace(/ from /g, ' a partir de ')}.`,
  ],
  [/^Probability of default within (\d+) days\.$/, (days) => `Probabilidade de inadimplência em ${days} dias.`],
  [/^Probability that (.+) is 1\.$/, (label) => `Probabilidade de que ${label} seja 1.`],
  [/^Probability of (.+)\.$/, (event) => `Probabilidade de ${sayTarget(event)}.`],
  [/^Expected (.+)\.$/, (amount) => `Esperado: ${sayTarget(amount)}.`],
];

const within = '(?: within (\\S+) (days|hours))?';
const rowsOf = '(\\S+) rows(?: (\\S+) days overdue)?( that meet the condition)?';

/** What is asked about, as the service words targets of tasks; a class keeps its name. */
const targets: readonly Form[] = [
  [
    new RegExp(`^any ${rowsOf}${within}$`),
    (table, overdue, isMet, span, unit) => `haver ${sayRows(table, overdue, isMet)}${sayWithin(span, unit)}`,
  ],
  [
    new RegExp(`^days until the first of ${rowsOf}, at most (\\S+)$`),
    (table, overdue, isMet, most) => `dias até a primeira das ${sayRows(table, overdue, isMet)}, no máximo ${most}`,
  ],
  [new RegExp(`^the next (\\S+)${within}$`), (column, span, unit) => `o próximo ${column}${sayWithin(span, unit)}`],
  [/^the (.+) being (\S+) (\S+)$/, (amount, is, value) => `${sayTarget(amount)} ser ${is} ${value}`],
  [
    new RegExp(`^number of ${rowsOf}${within}$`),
    (table, overdue, isMet, span, unit) => `número de ${sayRows(table, overdue, isMet)}${sayWithin(span, unit)}`,
  ],
  [new RegExp(`^sum of (\\S+)${within}$`), (column, span, unit) => `soma de ${column}${sayWithin(span, unit)}`],
  [
    new RegExp(`^(.+) of a row of (\\S+)${within}$`),
    (what, table, span, unit) => `${sayTarget(what)} de uma linha de ${table}${sayWithin(span, unit)}`,
  ],
  [/^the first payment being (\S+) days late$/, (days) => `o primeiro pagamento atrasar ${days} dias`],
  [/^(.+) (?:at|by) month (\d+) on book$/, (what, month) => `${sayTarget(what)} até o mês ${month} do contrato`],
  [/^being (\S+) days past due$/, (days) => `estar ${days} dias em atraso`],
  [/^a charge-off$/, () => 'baixa como perda'],
];

function sayRows(table: string, overdue: string | undefined, isMet: string | undefined): string {
  return `linhas de ${table}${overdue ? ` com ${overdue} dias de atraso` : ''}${isMet ? ' que atendem à condição' : ''}`;
}

function sayWithin(span: string | undefined, unit: string | undefined): string {
  return span === undefined ? '' : ` em ${span} ${unit === 'hours' ? 'horas' : 'dias'}`;
}

const sayTarget = (text: string): string => sayBy(targets, text) ?? text;

const sayIn = (description: string): string => sentences[description] ?? sayBy(forms, description) ?? description;

function sayBy(known: readonly Form[], text: string): string | null {
  for (const [form, say] of known) {
    const found = form.exec(text);
    if (found) return say(...found.slice(1));
  }
  return null;
}

/** The description of an input or output in the page's language; those of a contract as they stand there. */
export function sayField(description: string, language: Language): string {
  return language === 'en' ? description : sayIn(description);
}
