// Portuguese for what tables and columns are most often called in English. Only words of one meaning wherever data are
// kept: an order may be a purchase or a sequence, so it is left as it is. A name is translated whole or not at all.

const nouns: Readonly<Record<string, string>> = {
  ...{ account: 'conta', address: 'endereço', age: 'idade', agency: 'agência', amount: 'valor', balance: 'saldo' },
  ...{
    bank: 'banco',
    buyer: 'comprador',
    borrower: 'tomador',
    campaign: 'campanha',
    card: 'cartão',
    category: 'categoria',
    city: 'cidade',
  },
  ...{
    client: 'cliente',
    company: 'empresa',
    contract: 'contrato',
    country: 'país',
    customer: 'cliente',
    deposit: 'depósito',
  },
  ...{
    discount: 'desconto',
    district: 'distrito',
    employee: 'funcionário',
    frequency: 'frequência',
    height: 'altura',
    income: 'renda',
  },
  ...{ instalment: 'parcela', installment: 'parcela', invoice: 'fatura', loan: 'empréstimo', month: 'mês' },
  ...{ name: 'nome', nationality: 'nacionalidade', operation: 'operação', origin: 'origem', payment: 'pagamento' },
  ...{ person: 'pessoa', player: 'jogador', result: 'resultado', school: 'escola', state: 'estado' },
  ...{ position: 'posição', price: 'preço', product: 'produto', profession: 'profissão', purchase: 'compra' },
  ...{ quantity: 'quantidade', region: 'região', repayment: 'pagamento', revenue: 'receita', salary: 'salário' },
  ...{ sale: 'venda', sector: 'setor', segment: 'segmento', seller: 'vendedor', status: 'status', store: 'loja' },
  ...{ supplier: 'fornecedor', team: 'equipe', transaction: 'transação', type: 'tipo', user: 'usuário' },
  ...{ vehicle: 'veículo', visit: 'visita', weight: 'peso', year: 'ano' },
};

const phrases: Readonly<Record<string, string>> = {
  ...{ days: 'dias', months: 'meses', years: 'anos', payments: 'pagamentos', points: 'pontos' },
  ...{ 'days late': 'dias de atraso', 'late days': 'dias de atraso', 'days overdue': 'dias de atraso' },
  ...{
    'paid amount': 'valor pago',
    'amount paid': 'valor pago',
    'amount due': 'valor devido',
    'total due': 'total devido',
  },
  ...{ 'term days': 'prazo em dias', 'term months': 'prazo em meses', 'term in months': 'prazo em meses' },
  ...{ 'interest rate': 'taxa de juros', 'instalment number': 'número da parcela', milliseconds: 'milissegundos' },
  ...{ 'number of deposits': 'número de depósitos', 'number of employees': 'número de funcionários' },
  ...{ 'birth date': 'data de nascimento', 'employment status': 'situação de emprego' },
  ...{ 'zip code': 'CEP', 'postal code': 'CEP', 'account holder': 'titular da conta' },
  ...{ 'bank account': 'conta bancária', 'bank account type': 'tipo de conta bancária' },
};

const dates: Readonly<Record<string, string>> = {
  ...{ approval: 'aprovação', approved: 'aprovação', birth: 'nascimento', created: 'criação', creation: 'criação' },
  ...{ delivered: 'entrega', delivery: 'entrega', due: 'vencimento', 'first due': 'primeiro vencimento' },
  ...{ granted: 'concessão', issued: 'emissão', maturity: 'vencimento', matures: 'vencimento', opened: 'abertura' },
  ...{ paid: 'pagamento', payment: 'pagamento', purchase: 'compra', start: 'início', started: 'início' },
};

/** Adjectives that stand before the noun in English, and after it here. */
const adjectives: Readonly<Record<string, string>> = { total: 'total', monthly: 'mensal', annual: 'anual' };

const lexicon = new Map(Object.entries({ ...nouns, ...phrases }));
const dateLexicon = new Map(Object.entries(dates));
const adjectiveLexicon = new Map(Object.entries(adjectives));

/** Translates the name of a column, or of one row of a table; undefined where a word is not known. */
export function translateName(name: string, join: (owner: string) => string): string | undefined {
  const whole = lexicon.get(name);
  if (whole !== undefined) return whole;
  const [first, ...rest] = name.split(' ');
  if (rest.length === 0) return undefined;
  const adjective = adjectiveLexicon.get(first);
  const last = translateName(rest.join(' '), join);
  if (last === undefined) return undefined;
  if (adjective !== undefined) return `${last} ${adjective}`;
  const owner = Object.hasOwn(nouns, first) ? nouns[first] : undefined;
  return owner === undefined ? undefined : `${last} ${join(owner)}`;
}

/** Translates what a date marks: due → vencimento. */
export function translateDate(name: string): string | undefined {
  return dateLexicon.get(name);
}
