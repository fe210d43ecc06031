import { words } from '../words/words.ts';

/** Of what was assumed of files, why, and what comes of it where it is wrong. `table` and `column`: their names. */
export const doubtWords = words(
  {
    title: 'To be checked before you accept',
    body: 'The files alone cannot tell. Each says what was assumed, why, and what comes of it where it is wrong.',
    likely: (count: string) => `Likely, and worth a look (${count})`,
    assumed: (what: string) => `Assumed: ${what}`,
    why: 'Why',
    ifWrong: 'If wrong',
    /** Of guesses that are in the contract. */
    taken: {
      key: (column: string, table: string) => `${column} tells the rows of ${table} apart: it is their key.`,
      reference: (column: string, _table: string, value: string) => `${column} holds keys of ${value}.`,
      time: (_column: string, table: string, value: string) => `A row of ${table} happens at ${value}.`,
      entityKind: (_column: string, table: string, value: string) => `The rows of ${table} are ${value}.`,
      type: (column: string, _table: string, value: string) => `${column} holds ${value}.`,
    },
    /** Of those that are only noted. */
    left: {
      key: (column: string, table: string) => `${table} has no key, although ${column} looks like one.`,
      reference: (column: string, _table: string, value: string) =>
        `${column} refers to no table, although it may hold keys of ${value}.`,
      time: (column: string, table: string) => `${column} does not date the rows of ${table}, and nothing else does.`,
      planned: (column: string) => `${column} is written when that day has come, and is no plan made before.`,
      knownFrom: (column: string, _table: string, value: string) =>
        `${column} is known as soon as its row is, and not only from ${value}.`,
      missingValues: (column: string, _table: string, value: string) => `${value} in ${column} is a real date.`,
      format: (column: string) => `${column} says something about its row, and is not merely another name of it.`,
    },
    other: (column: string, what: string) => `${column}: ${what}.`,
    unnamed: (table: string) => `Nothing says what the rows of ${table} are.`,
    unnamedWhy: (columns: string, count: number) =>
      `No tax number, date of birth or table name tells it, and other rows refer to them: ${columns}${count > 0 ? ` and ${count} more` : ''}.`,
    seen: {
      key: (rows: string, _filled: string, distinct: string, column: string) =>
        `${column} has ${distinct} different values in ${rows} rows`,
      together: (rows: string) => `${rows} rows, no two alike in all of these columns`,
      reference: (rows: string, filled: string, distinct: string) =>
        `${filled} of ${rows} rows have a value, ${distinct} of them different`,
      time: (rows: string, filled: string, _distinct: string, column: string) =>
        `${column} is filled in ${filled} of ${rows} rows`,
      entityKind: (rows: string) => `${rows} rows`,
      other: (rows: string, filled: string, distinct: string) =>
        `filled in ${filled} of ${rows} rows, with ${distinct} different values`,
    },
    suchAs: (examples: string) => `, such as ${examples}`,
    /** What comes of a guess in the contract that is wrong, and of one that is only noted and right. */
    cost: {
      keyTaken: 'Two rows that share a key by right are refused, or one takes the place of the other.',
      keyLeft: (table: string) =>
        `Rows sent again stand beside the old ones, and no table can refer to ${table}. Made the key, the rows that repeat or lack it are refused, and listed for you.`,
      referenceTaken: 'Rows are tied to others that they have nothing to do with, and models learn from these.',
      referenceLeft: (value: string) => `Nothing that is known of ${value} reaches these rows, so models read less.`,
      timeTaken: (table: string) =>
        `All that is counted of ${table} falls on another day, and models may read what was not known yet.`,
      timeLeft: (table: string) =>
        `Nothing can be counted in time by ${table}, and all of its rows count as known since ever.`,
      entityKind: 'Keys of people may not be erased as the law wants, or keys of things be kept apart for nothing.',
      unnamed: 'Their keys are kept as they come, and nobody’s can be erased. Said later, the table is read again.',
      type: 'Its values are read as something else than they are, and some not at all.',
      planned: 'Models read the plan from its own day on alone, and miss what was known before.',
      knownFrom: 'Models learn from it before it was there, and promise more than they keep.',
      missingValues: 'Rows without that date count as if it lay far in the future.',
      format: 'Models may learn single rows by heart from it.',
      other: 'Files that hold something else are refused, or read wrongly.',
    },
    do: {
      refer: (to: string) => `Refer to ${to}`,
      unrefer: (to: string) => `Do not refer to ${to}`,
      key: (to: string) => `Make ${to} the key`,
      unkey: () => 'It is no key',
      date: (to: string) => `Date rows by ${to}`,
      rowsAre: (to: string) => `They are ${to}`,
      plan: () => 'It is a planned date',
      otherForm: (to: string) => `Dates are ${to}`,
      number: () => 'Numbers as 1.234,56',
      knownFrom: (to: string) => `Known only from ${to}`,
      identify: () => 'It is merely another name',
    },
    confirm: 'That is right',
  },
  {
    title: 'A conferir antes de aceitar',
    body: 'Os arquivos sozinhos não dizem. Cada item diz o que foi suposto, por quê, e o que acontece se estiver errado.',
    likely: (count: string) => `Provável, e vale uma olhada (${count})`,
    assumed: (what: string) => `Suposto: ${what}`,
    why: 'Por quê',
    ifWrong: 'Se estiver errado',
    taken: {
      key: (column: string, table: string) => `${column} distingue as linhas de ${table}: é a chave delas.`,
      reference: (column: string, _table: string, value: string) => `${column} contém chaves de ${value}.`,
      time: (_column: string, table: string, value: string) => `Uma linha de ${table} acontece em ${value}.`,
      entityKind: (_column: string, table: string, value: string) => `As linhas de ${table} são ${value}.`,
      type: (column: string, _table: string, value: string) => `${column} contém ${value}.`,
    },
    left: {
      key: (column: string, table: string) => `${table} não tem chave, embora ${column} pareça ser uma.`,
      reference: (column: string, _table: string, value: string) =>
        `${column} não se refere a tabela alguma, embora possa conter chaves de ${value}.`,
      time: (column: string, table: string) => `${column} não data as linhas de ${table}, e nada mais as data.`,
      planned: (column: string) => `${column} é escrita quando o dia chega, e não é um plano feito antes.`,
      knownFrom: (column: string, _table: string, value: string) =>
        `${column} é conhecida junto com a linha, e não só a partir de ${value}.`,
      missingValues: (column: string, _table: string, value: string) => `${value} em ${column} é uma data de verdade.`,
      format: (column: string) => `${column} diz algo sobre a linha, e não é só mais um nome dela.`,
    },
    other: (column: string, what: string) => `${column}: ${what}.`,
    unnamed: (table: string) => `Nada diz o que são as linhas de ${table}.`,
    unnamedWhy: (columns: string, count: number) =>
      `Nenhum número fiscal, data de nascimento ou nome de tabela o diz, e outras linhas se referem a elas: ${columns}${count > 0 ? ` e mais ${count}` : ''}.`,
    seen: {
      key: (rows: string, _filled: string, distinct: string, column: string) =>
        `${column} tem ${distinct} valores diferentes em ${rows} linhas`,
      together: (rows: string) => `${rows} linhas, e não há duas iguais em todas estas colunas`,
      reference: (rows: string, filled: string, distinct: string) =>
        `${filled} de ${rows} linhas têm valor, ${distinct} deles diferentes`,
      time: (rows: string, filled: string, _distinct: string, column: string) =>
        `${column} está preenchida em ${filled} de ${rows} linhas`,
      entityKind: (rows: string) => `${rows} linhas`,
      other: (rows: string, filled: string, distinct: string) =>
        `preenchida em ${filled} de ${rows} linhas, com ${distinct} valores diferentes`,
    },
    suchAs: (examples: string) => `, como ${examples}`,
    cost: {
      keyTaken: 'Duas linhas que podem ter a mesma chave são recusadas, ou uma toma o lugar da outra.',
      keyLeft: (table: string) =>
        `Linhas reenviadas ficam ao lado das antigas, e nenhuma tabela pode se referir a ${table}. Se ela for a chave, as linhas que a repetem ou não a têm são recusadas e listadas para você.`,
      referenceTaken: 'As linhas são ligadas a outras com que nada têm a ver, e os modelos aprendem com elas.',
      referenceLeft: (value: string) =>
        `Nada do que se sabe de ${value} chega a estas linhas, e os modelos leem menos.`,
      timeTaken: (table: string) =>
        `Tudo o que se conta de ${table} cai em outro dia, e os modelos podem ler o que ainda não se sabia.`,
      timeLeft: (table: string) =>
        `Nada pode ser contado no tempo por ${table}, e todas as linhas valem como conhecidas desde sempre.`,
      entityKind:
        'Chaves de pessoas podem não ser apagadas como a lei quer, ou chaves de coisas ser guardadas à parte sem razão.',
      unnamed: 'As chaves ficam como vieram, e nenhuma pode ser apagada. Se for dito depois, a tabela é lida de novo.',
      type: 'Os valores são lidos como algo que não são, e alguns nem são lidos.',
      planned: 'Os modelos só leem o plano a partir do próprio dia, e perdem o que se sabia antes.',
      knownFrom: 'Os modelos aprendem com ela antes de existir, e prometem mais do que cumprem.',
      missingValues: 'Linhas sem essa data contam como se ela estivesse muito à frente.',
      format: 'Os modelos podem decorar linhas por ela.',
      other: 'Arquivos que contêm outra coisa são recusados ou lidos errado.',
    },
    do: {
      refer: (to: string) => `Referir-se a ${to}`,
      unrefer: (to: string) => `Não se referir a ${to}`,
      key: (to: string) => `Fazer de ${to} a chave`,
      unkey: () => 'Não é chave',
      date: (to: string) => `Datar linhas por ${to}`,
      rowsAre: (to: string) => `São ${to}`,
      plan: () => 'É uma data prevista',
      otherForm: (to: string) => `As datas são ${to}`,
      number: () => 'Números como 1.234,56',
      knownFrom: (to: string) => `Só se conhece a partir de ${to}`,
      identify: () => 'É só mais um nome',
    },
    confirm: 'Está certo',
  },
);
