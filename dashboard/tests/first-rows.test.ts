/** What is read of a file in the browser, and held against what a model takes. */
import { describe, expect, test } from 'vitest';
import { checkRows, isRefusedWhole, labelFormat } from '../src/batches/check-rows.ts';
import { type Input, mapColumns, mappingOf } from '../src/batches/column-mapping.ts';
import { csvLine, delimiterOf, openCsv } from '../src/uploads/csv.ts';
import { headOfText } from '../src/uploads/head-of-file.ts';

describe('CSV', () => {
  const text = 'a;"b;1"\r\n\r\n"say ""hi""\r\nthere";2\n3,5;\r4;"5"';
  const rows = [
    ['a', 'b;1'],
    ['say "hi"\r\nthere', '2'],
    ['3,5', ''],
    ['4', '5'],
  ];

  test('is the same wherever it is cut', () => {
    expect(delimiterOf(text)).toBe(';');
    for (let at = 0; at <= text.length; at++) {
      const reader = openCsv(';');
      const read = [...reader.push(text.slice(0, at)), ...reader.push(text.slice(at)), ...reader.end()];
      expect(read, `cut at ${at}`).toEqual(rows);
    }
  });

  test('that is written reads as what it was', () => {
    const reader = openCsv(';');
    expect([...reader.push(rows.map((row) => csvLine(row, ';')).join('')), ...reader.end()]).toEqual(rows);
  });

  test('of which the last line is cut off is read without it', () => {
    expect(headOfText('a,b\n1,2\n3,', 'csv', false)).toMatchObject({ rows: [['1', '2']], isWhole: false });
    expect(headOfText('a,b\n1,2\n3,', 'csv', true)).toMatchObject({
      rows: [
        ['1', '2'],
        ['3', ''],
      ],
    });
  });
});

describe('rows', () => {
  const field = { description: '', pii: false };
  const inputs: readonly Input[] = [
    { ...field, name: 'id', type: 'string', required: true },
    { ...field, name: 'amount', type: 'number', required: false, minimum: 0 },
    { ...field, name: 'opened', type: 'date', required: true, dates_row: 'past' },
  ];
  const check = (text: string, format: 'csv' | 'jsonl' = 'csv', isDayGiven = false) =>
    checkRows(headOfText(text, format, true)!, inputs, isDayGiven);

  test('that are as they should be are not complained of, whatever the case of names', () => {
    expect(check('ID,Amount,opened,reference_id\nx,1.5e3,2026-01-31,7\ny,,2026-01-31T00:00,8\n')).toEqual([]);
  });

  test('name the day as of which they are in Portuguese, too', () => {
    const day: Input = { ...field, name: 'reference_date', type: 'date', required: false };
    const [mapped] = mapColumns([headOfText('CNPJ;Data-Base\n1;2024-01-31\n', 'csv', true)!], [day], {});
    expect(mapped).toMatchObject({ column: 'Data-Base', guessedBy: 'name' });
  });

  test('say of which day they are in the form that most of them have, as the service finds it', () => {
    const day: Input = { ...field, name: 'reference_date', type: 'date', required: false };
    const other: Input = { ...day, name: 'opened' };
    const found = (name: string, ...days: readonly string[]) => {
      const head = headOfText(`${name}\n${days.map((text) => `${text}\n`).join('')}`, 'csv', true)!;
      const findings = checkRows(head, [day, other], false);
      return [findings.flatMap((one) => ('row' in one ? [one.value] : [])), isRefusedWhole(head, findings)];
    };
    expect(found('reference_date', '31/12/2024', '01/02/2024')).toEqual([[], false]);
    expect(found('reference_date', '31/12/2024', '12/31/2024', '30/11/2024')).toEqual([['12/31/2024'], false]);
    expect(found('reference_date', 'soon')).toEqual([['soon'], true]);
    // Others are written as the contract says.
    expect(found('opened', '31/12/2024', '30/12/2024')).toEqual([['31/12/2024'], true]);
  });

  test('may say yes and no of labels in words of either language, and of nothing else', () => {
    const said = (format: string | undefined, text: string) => {
      const input: Input = { ...field, name: 'late', type: 'boolean', required: true, ...(format && { format }) };
      return checkRows(headOfText(`late\n${text}\n`, 'csv', true)!, [input], true).length === 0;
    };
    const words = ['sim', 'Não', 'nao', 's', 'yes', 'NO', '1', 'false'];
    expect(words.filter((word) => !said(labelFormat, word))).toEqual([]);
    expect(words.filter((word) => said(undefined, word))).toEqual(['yes', 'NO', '1', 'false']);
    expect(said(labelFormat, 'talvez')).toBe(false);
  });

  test('are read as their inputs are written', () => {
    const written = (type: Input['type'], form: Partial<Input>, ...texts: readonly string[]) => {
      const input: Input = { ...field, name: 'v', type, required: false, ...form };
      const found = checkRows(
        headOfText(`v\n${texts.map((text) => `"${text}"\n`).join('')}`, 'csv', true)!,
        [input],
        false,
      );
      return found.map(({ kind, ...rest }) => ('row' in rest ? [kind, rest.row, rest.value] : [kind]));
    };
    const comma = { decimal_separator: ',', maximum: 2000 } as const;
    expect(written('number', comma, '144,47', '1.234,5', '7', '144.47', '2.000,5')).toEqual([
      ['type', 4, '144.47'],
      ['range', 5, '2.000,5'],
    ]);
    const dayFirst = { format: 'dd/MM/yyyy' };
    expect(written('date', dayFirst, '31/12/2024', '1-2-2024', '2024-12-31', '31/02/2024')).toEqual([
      ['type', 4, '31/02/2024'],
    ]);
    expect(written('timestamp', dayFirst, '31/12/2024 9:05', '12/31/2024 10:00')).toEqual([
      ['type', 2, '12/31/2024 10:00'],
    ]);
    expect(written('date', { format: 'yyyyMMdd' }, '20241231', '20241331')).toEqual([['type', 2, '20241331']]);
    expect(written('timestamp', { format: 'epoch_seconds' }, '1735669800', 'soon')).toEqual([['type', 2, 'soon']]);
  });

  test('are told by column, with the first row and how many', () => {
    expect(check('id,amount,opened\nx,"1,5",2026-01-31\n,-1,31/01/2026\ny,abc,2026-02-30\n')).toMatchObject([
      { kind: 'empty', input: { name: 'id' }, rows: 1, row: 2 },
      { kind: 'type', input: { name: 'amount' }, rows: 2, row: 1, value: '1,5' },
      { kind: 'range', input: { name: 'amount' }, rows: 1, row: 2, value: '-1' },
      { kind: 'type', input: { name: 'opened' }, rows: 2, row: 2, value: '31/01/2026' },
    ]);
  });

  test('are told of where a spreadsheet took documents for numbers, or a value has the separator in it', () => {
    const key: Input = { ...field, name: 'cnpj', type: 'string', format: 'cnpj', required: true };
    const found = (text: string, input = key) => {
      const head = headOfText(text, 'csv', true)!;
      const findings = checkRows(head, [input], false);
      return findings.map((one) => ('row' in one ? [one.kind, one.row, one.rows] : [one.kind]));
    };
    expect(found('cnpj;x\n11222333000181;1\n1,38236E+13;2\n11222333181;3\n1222333000181;4\n')).toEqual([
      ['document', 2, 2],
      ['type', 3, 1],
      ['unknown'],
    ]);
    // Among documents whatever is none is told; where none is one, they are keys of another kind.
    const faulty = [
      ['document', 2, 1],
      ['empty', 3, 1],
    ];
    expect(found('cnpj\n11222333000181\nabc\n\\N\n')).toEqual(faulty);
    const { format: _, ...undeclared } = key;
    expect(found('cnpj\n11222333000181\nabc\n\\N\n', undeclared)).toEqual(faulty);
    expect(found('cnpj\nabc\ndef\n', undeclared)).toEqual([]);
    expect(found('cnpj\n11222333000181\n1,38236E+13\n')).toEqual([
      ['wide', 2, 1],
      ['document', 2, 1],
    ]);
    expect(headOfText('PK\u0003\u0004xl/workbook', 'csv', true)).toMatchObject({ columns: [], rows: [] });
  });

  test('are left out where the contract says which document they have, and are somebody unknown where it does not', () => {
    const told = (text: string, format: string | undefined) => {
      const key: Input = { ...field, name: 'cnpj', type: 'string', required: true, ...(format && { format }) };
      const head = headOfText(`cnpj\n${text}\n`, 'csv', true)!;
      const findings = checkRows(head, [key], false);
      return [findings.map(({ kind }) => kind), isRefusedWhole(head, findings)];
    };
    const wrong = { abc: 'document', '11.222.333/0001-80': 'digits', '11222333000180': 'type', '52998224725': 'type' };
    for (const [text, kind] of Object.entries(wrong)) expect(told(text, 'cnpj'), text).toEqual([[kind], true]);
    for (const right of ['11.222.333/0001-81', '11222333000181']) expect(told(right, 'cnpj')).toEqual([[], false]);
    expect(told('11.222.333/0001-80', undefined)).toEqual([['digits'], false]);
    expect(told('52998224725', undefined)).toEqual([[], false]);
  });

  test('without a needed column are refused as a file, with one too many only told', () => {
    expect(check('id,colour\nx,red\n')).toEqual([
      { kind: 'missing', columns: ['opened'] },
      { kind: 'unknown', columns: ['colour'] },
    ]);
    expect(check('id\nx\n', 'csv', true)).toEqual([]);
    expect(check('id,reference_date\nx,2026-01-01\n')).toEqual([]);
  });

  test('that name their models are of those', () => {
    expect(check('endpoint,colour\ncredit/production,red\n')).toEqual([]);
  });

  test('of JSONL may lack a key that comes later', () => {
    const cut = headOfText('{"id":"x"}\n{"id":', 'jsonl', false)!;
    expect(checkRows(cut, inputs, false)).toEqual([]);
    expect(check('{"id":"x","amount":"a","opened":null}\n', 'jsonl')).toMatchObject([
      { kind: 'type', row: 1 },
      { kind: 'empty', input: { name: 'opened' } },
    ]);
  });

  test('may have a column under another of its names', () => {
    const named = inputs.map((input) => (input.name === 'id' ? { ...input, aliases: ['Document'] } : input));
    const head = headOfText('document,amount\nx,1\n', 'csv', true)!;
    expect(checkRows(head, named, true)).toEqual([]);
    expect(checkRows(head, inputs, true)).toMatchObject([
      { kind: 'missing', columns: ['id'] },
      { kind: 'unknown', columns: ['document'] },
    ]);
  });
});

describe('columns', () => {
  const named = (name: string, more: Partial<Input> = {}): Input =>
    ({ ...{ name, type: 'string', required: false, description: '', example: '', pii: false }, ...more }) as Input;
  const inputs = [named('cnpj', { required: true }), named('data_ref'), named('região', { aliases: ['praca'] })];
  const map = (header: string, chosen: Record<string, string> = {}) =>
    mapColumns([headOfText(`${header}\nx;y;z;w\n`, 'csv', true)!], inputs, chosen);
  const read = (...asked: Parameters<typeof map>) => map(...asked).map(({ column }) => column);

  test('are found whatever their case, accents and punctuation, and told only where the service would not', () => {
    expect(read('CNPJ;Data Ref;Regiao;Valor')).toEqual(['CNPJ', 'Data Ref', 'Regiao']);
    expect(mappingOf(map('CNPJ;Data Ref;Regiao;Valor'))).toEqual({ data_ref: 'Data Ref', região: 'Regiao' });
    expect(read('C.N.P.J.;data-ref;PRAÇA;Valor')).toEqual(['C.N.P.J.', 'data-ref', 'PRAÇA']);
    expect(map('C.N.P.J.;data-ref;PRAÇA;Valor').map(({ example }) => example)).toEqual(['x', 'y', 'z']);
  });

  test('are not guessed between two, nor taken from another input, nor from what means something else', () => {
    expect(read('documento;data-ref;data ref;praca')).toEqual(['', '', 'praca']);
    const [cnpj] = map('documento;endpoint;reference_id;praca');
    expect(cnpj).toMatchObject({ column: '', isNamed: false, columns: ['documento'] });
  });

  test('of documents are found by their values, where there is one such column', () => {
    const document = named('legal_document', { required: true, format: 'identifier' });
    const person = named('pessoa', { description: 'CPF of who signs.' });
    const other = named('documento_fiscal', { format: 'uuid' });
    const [cnpjs, cpfs] = [
      ['11.222.333/0001-81', '12345678000195', '11.222.333/0001-00'],
      ['529.982.247-25', '11144477735', ''],
    ];
    const guessed = (header: string, columns: readonly (readonly string[])[], of: readonly Input[]) => {
      const rows = columns[0].map((_, row) => columns.map((column) => column[row]).join(';'));
      const head = headOfText(`${header}\n${rows.join('\n')}\n`, 'csv', true)!;
      return mapColumns([head], of, {}).map(({ column, guessedBy }) => [column, guessedBy]);
    };
    expect(guessed('Empresa;Valor', [cnpjs, ['1', '2', '3']], [document, other])).toEqual([
      ['Empresa', 'values'],
      ['', null],
    ]);
    // Which of the two is meant, only an input that tells the kind says.
    expect(guessed('Empresa;Sócio', [cnpjs, cpfs], [document])).toEqual([['', null]]);
    expect(guessed('Empresa;Sócio', [cnpjs, cpfs], [person])).toEqual([['Sócio', 'values']]);
    expect(guessed('Empresa;Sócio', [cnpjs, cpfs], [person, document])).toEqual([
      ['Sócio', 'values'],
      ['Empresa', 'values'],
    ]);
    // A column of the input's own name is read, whatever is in others; and most of the values have to be documents.
    expect(guessed('legal_document;x', [['a', 'b', 'c'], cnpjs], [document])).toEqual([['legal_document', null]]);
    expect(guessed('x', [['11222333000181', 'b', 'c']], [document])).toEqual([['', null]]);
  });

  test('of days are found by their values for what dates the rows, where there is one such column', () => {
    const asked = named('reference_date', { type: 'date' });
    const opened = named('opened', { type: 'date', required: true, dates_row: 'past', format: 'dd/MM/yyyy' });
    const born = named('born', { type: 'date' });
    const found = (text: string, of: readonly Input[], today = '2026-01-31') =>
      mapColumns([headOfText(text, 'csv', true)!], of, {}, { today }).map((one) => [
        ...[one.column, one.guessedBy],
        ...(one.dayColumns.length > 1 ? [one.dayColumns] : []),
      ]);
    const cnpj = named('cnpj', { format: 'cnpj' });
    const byDay = ['quando', 'days'];
    expect(found('cnpj;quando\n1;2024-01-31\n2;\n3;2024-02-29\n', [cnpj, asked])).toEqual([['cnpj', null], byDay]);
    for (const days of ['31/12/2024\n01/02/2024', '12/31/2024\n02/01/2024', '20241231\n20240201', '2024/12/31'])
      expect(found(`quando;x\n${days}\n`, [asked]), days).toEqual([byDay]);
    // Not all of one form, numbers that are no days, and days that have not come.
    for (const values of ['31/12/2024\n12/31/2024', '10101010', '2024-01-31\nsoon', '2026-02-01', ''])
      expect(found(`quando;x\n${values}\n`, [asked]), values).toEqual([['', null]]);
    // A column of a new row is read in the form of its own alone, and dates the row before the day asked about.
    expect(found('quando\n31/12/2024\n', [opened, asked])).toEqual([byDay, ['', null]]);
    expect(found('quando\n12/31/2024\n', [opened, asked])).toEqual([
      ['', null],
      ['', null],
    ]);
    expect(found('opened;quando\n31/12/2024;2024-12-31\n', [opened, asked])[1]).toEqual(['', null]);
    // What another input reads, or is about another day, is not taken for it.
    expect(found('born;x\n1980-01-31;1\n', [asked, born])).toEqual([
      ['', null],
      ['born', null],
    ]);
    // Between two is not guessed; they are told.
    expect(found('quando;desde\n2024-01-31;2020-01-31\n', [asked])).toEqual([['', null, ['quando', 'desde']]]);
    const head = headOfText('quando;desde\n2024-01-31;2020-01-31\n', 'csv', true)!;
    expect(mapColumns([head], [asked], { reference_date: '' })).toMatchObject([{ column: '', dayColumns: [] }]);
  });

  test('are read as chosen', () => {
    const mapped = map('documento;Data Ref;praca;outra', { cnpj: 'documento', data_ref: '', região: 'outra' });
    expect(mappingOf(mapped)).toEqual({ cnpj: 'documento', região: 'outra' });
    const head = headOfText('documento;Data Ref;praca;outra\nx;y;z;w\n', 'csv', true)!;
    expect(checkRows(head, inputs, true, mappingOf(mapped))).toEqual([
      { kind: 'unknown', columns: ['Data Ref', 'praca'] },
    ]);
    expect(checkRows(head, inputs, true)).toMatchObject([{ kind: 'missing', columns: ['cnpj'] }, {}]);
  });
});
