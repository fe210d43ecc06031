// Names have an article, and what agrees with it, where their ending tells gender and number: "nas parcelas", "saldo
// médio". Of all others these are unknown, and the sentence is built round them: "em invoices", "média de amount".

type Article = 'o' | 'a' | 'os' | 'as' | '';

/** Names whose ending misleads or tells nothing. */
const articles = new Map<string, Article>(
  Object.entries({
    ...{ dia: 'o', dias: 'os', mapa: 'o', mapas: 'os', problema: 'o', problemas: 'os', sistema: 'o', sistemas: 'os' },
    ...{ programa: 'o', programas: 'os', tema: 'o', temas: 'os', foto: 'a', fotos: 'as', moto: 'a', motos: 'as' },
    ...{ cliente: 'o', clientes: 'os', agente: 'o', agentes: 'os', limite: 'o', limites: 'os', lote: 'o', lotes: 'os' },
    ...{ base: 'a', bases: 'as', classe: 'a', classes: 'as', fase: 'a', fases: 'as', parte: 'a', partes: 'as' },
    ...{
      mês: 'o',
      meses: 'os',
      status: 'o',
      uf: 'a',
      cep: 'o',
      cnae: 'a',
      score: 'o',
      total: 'o',
      data: '',
      media: '',
      info: '',
    },
    ...{ valor: 'o', valores: 'os', setor: 'o', setores: 'os', lar: 'o', cor: 'a', cores: 'as', canal: 'o' },
  } as const),
);

/** The article of a name, by its first word; none where that does not look Portuguese. */
export function articleOf(name: string): Article {
  const [head, next] = name.toLowerCase().split(' ');
  // In English it is another word.
  if (head === 'data' && /^d[aeo]s?$/.test(next ?? '')) return 'a';
  const known = articles.get(head);
  if (known !== undefined) return known;
  if (/^[^a-zà-ÿ]|[^a-zà-ÿ-]/.test(head) || (name.length < 6 && name === name.toUpperCase())) return '';
  if (/(?:[çs]ão|dade|gem|tude|cie)$/.test(head)) return 'a';
  if (/(?:[çs]ões|dades|gens|tudes|cies)$/.test(head)) return 'as';
  if (/(?:ão|dor|tor)$/.test(head)) return 'o';
  if (/(?:ões|ãos|dores|tores|[aeéoó]is)$/.test(head)) return 'os';
  if (/[^aeo]a$/.test(head)) return 'a';
  if (/[^aeo]as$/.test(head)) return 'as';
  if (/[^o]o$/.test(head)) return 'o';
  return /[^o]os$/.test(head) ? 'os' : '';
}

/** The article of a name in the plural. */
export function articleOfMany(name: string): Article {
  const article = articleOf(name);
  return article === 'o' || article === 'a' ? `${article}s` : article;
}

export function isMany(article: Article): boolean {
  return article.endsWith('s');
}

export function the(name: string): string {
  return `${articleOf(name)} ${name}`.trimStart();
}

/** `da parcela`, `de invoice`; `da palavra “x”` of what has its article already. */
export function ofThe(name: string, article: Article = articleOf(name)): string {
  if (name.startsWith('a palavra “')) return `d${name}`;
  return `d${article === '' ? 'e' : article} ${name}`;
}

/** `na parcela`, `em invoice`. */
export function inThe(name: string, article: Article = articleOf(name)): string {
  return article === '' ? `em ${name}` : `n${article} ${name}`;
}

/** `o mesmo`, `a mesma`, of a name that has an article. */
export function same(name: string): string {
  const article = articleOf(name);
  return `${article} mesm${article}`;
}

/** Whether a number has a name in the singular, which adjectives follow: valor médio, renda total. */
export function isSingular(name: string): boolean {
  return !isMany(articleOf(name)) && articleOf(name) !== '';
}

export function averageOf(name: string, rest: string): string {
  return isSingular(name)
    ? `${withAdjective(name, articleOf(name) === 'a' ? 'média' : 'médio')}${rest}`
    : `média de ${name}${rest}`;
}

export function totalOf(name: string): string {
  return isSingular(name) ? withAdjective(name, 'total') : `total de ${name}`;
}

/** `maior valor`, `maior valor de amount`. */
export function extremeOf(end: 'maior' | 'menor', name: string): string {
  return isSingular(name) ? `${end} ${name}` : `${end} valor de ${name}`;
}

/** `último valor`, `último valor de amount`. */
export function latestOf(name: string): string {
  return isSingular(name) ? `últim${articleOf(name)} ${name}` : `último valor de ${name}`;
}

/** `valor médio do empréstimo`, `renda média mensal`: the adjective stands beside the noun. */
function withAdjective(name: string, adjective: string): string {
  const [head, ...rest] = name.split(' ');
  return [head, adjective, ...rest].join(' ');
}

/** Changes the words of a name that agree in number: those before its complement. */
export function inHead(name: string, change: (word: string) => string): string {
  const words = name.split(' ');
  const end = words.findIndex((word) => /^(?:[dn][aeo]s?|em|com|por|para|sem)$/.test(word));
  return words.map((word, place) => (end < 0 || place < end ? change(word) : word)).join(' ');
}

export function singularOf(word: string): string {
  if (word.length <= 3 || !word.endsWith('s')) return word;
  if (/[õã]es$/.test(word)) return `${word.slice(0, -3)}ão`;
  if (/[aéóu]is$/.test(word)) return `${word.slice(0, -2).replace(/é$/, 'e').replace(/ó$/, 'o')}l`;
  if (/ns$/.test(word)) return `${word.slice(0, -2)}m`;
  if (/[rz]es$/.test(word)) return word.slice(0, -2);
  return /(?:us|is|ês)$/.test(word) ? word : word.slice(0, -1);
}

export function pluralOf(word: string): string {
  if (/ão$/.test(word)) return `${word.slice(0, -2)}ões`;
  if (/[êí]s$/.test(word)) return `${word.replace(/ês$/, 'es')}es`;
  if (/[aeou]l$/.test(word)) return `${word.slice(0, -1).replace(/e$/, 'é').replace(/o$/, 'ó')}is`;
  if (/m$/.test(word)) return `${word.slice(0, -1)}ns`;
  if (/[rz]$/.test(word)) return `${word}es`;
  return word.endsWith('s') ? word : `${word}s`;
}
