import { words } from '../words/words.ts';

export const batchWords = words(
  {
    description: 'Files whose rows are scored together, with the models and the data of one moment.',
    create: 'New batch',
    files: 'Files',
    moreFiles: (count: number) => `and ${count} more`,
    model: 'Model',
    perRow: 'Named by each row',
    rows: 'Rows',
    leftOut: 'Left out',
    progress: 'Progress',
    took: 'Took',
    allStatuses: 'All statuses',
    stopping: 'Stopping',
    first: 'No batch has been run yet',
    firstBody:
      'A batch takes files of many rows (CSV, Parquet or JSONL) and gives them back with an answer for each. Drop one in the browser, or send it by code.',
    total: (count: string) => `${count} batches`,
    title: (name: string) => `Batch of ${name}`,

    newDescription:
      'Choose a model and drop your files. They are read and sent at once, and their first rows are held against what the model takes.',
    alias: 'Alias or version',
    noTarget: 'No model has an active version yet. Train one and point an alias at it.',
    takes: (names: string, count: number) => `Your file needs the ${count === 1 ? 'column' : 'columns'} ${names}.`,
    takesMore: (count: number) => `and ${count} more`,
    optional: (names: string) => `Optional: ${names}.`,
    sample: 'Download an empty file with these columns',
    hint: 'CSV, Parquet or JSONL, also gzipped. Several at once; a file of 5 GB is fine.',
    notAFile: (name: string) => `${name} is no CSV, Parquet or JSONL file. Save a spreadsheet as CSV and drop that.`,
    emptyFile: (name: string) => `${name} is empty.`,
    options: 'Options',
    format: 'Format of the result',
    sameFormat: 'As each file',
    referenceDate: 'As of the end of the day',
    referenceDateHint: 'Empty: as of now. A column reference_date in a file wins.',
    priority: 'Priority',
    priorityHint: 'From −10 to 10. Each point counts as ten minutes of waiting.',
    interval: 'Add the bounds of each answer',
    keepColumns: 'Keep the other columns of the file in the result (input_columns)',
    rowWarnings: 'Say of each row what it is warned of (warnings)',
    rowNumber: 'Add the number that each row has in its file (row)',
    reference: 'Your own reference',
    referenceHint:
      'A column that the model does not read. Its value stands in every row of the result, as reference_id.',
    mapping: (read: number, of: number) => `Columns found: ${read} of ${of} that can be read`,
    mappingBody:
      'Which column of your files each input of the model is read from. Columns are found by their names, those of documents and days by their values; choose another where that is wrong.',
    guessedColumn: {
      name: (value: string) => `Found by its name. The first value is “${value}”.`,
      values: (value: string) => `Found by its values, which are CNPJs or CPFs. The first one is “${value}”.`,
      days: (value: string) =>
        `Found by its values, which are days: each row is answered as of its own. The first is “${value}”.`,
    },
    severalDays: (name: string, columns: string) =>
      `Several columns have days: ${columns}. Choose for ${name} the one that says of which day each row is.`,
    undatedNow: 'As long as none is chosen, all rows are answered as of now.',
    undatedAsOf: (day: string) => `As long as none is chosen, all rows are answered as of ${day}.`,
    willCorrect: (name: string) => `It will be linked to the batch of ${name}, whose rows it corrects.`,
    correctsNone: 'Do not link',
    corrects: (rows: string | null, name: string) =>
      `Corrects ${rows === null ? 'rows' : rows === '1' ? '1 row' : `${rows} rows`} of the batch of ${name}`,
    correctedIn: (rows: string | null, batch: string) =>
      `${rows === null ? 'Rows' : rows === '1' ? '1 row' : `${rows} rows`} corrected in the batch ${batch}`,
    correctsShort: (batch: string) => `corrects ${batch}`,
    correctedShort: (rows: string) => `${rows} corrected`,
    asBefore: 'Columns and options are those of the batch that the rows are from. They can be changed.',
    exampleValue: (value: string) => `The first value is “${value}”.`,
    noColumn: 'The model needs it: choose the column that has it.',
    columnMapping: 'Columns',
    start: 'Score the rows',
    startWhenSent: 'Score the rows once they are sent',
    starts: 'The batch starts by itself as soon as everything is sent.',
    checking: 'Reading the first rows…',
    noCheck: 'The rows of Parquet are checked by the service once it has the file.',
    noRows: 'No rows could be read in it. A spreadsheet has to be saved as CSV; below its header a file needs rows.',
    fine: (rows: string) => `The first ${rows} rows are as the model takes them.`,
    fineAll: (rows: string) =>
      rows === '1' ? 'The row is as the model takes it.' : `All ${rows} rows are as the model takes them.`,
    missing: (columns: string) =>
      `Columns that the model needs are missing: ${columns}. Choose below the columns that have them; without them the file would be refused.`,
    unknownPlain: (columns: string) => `Columns that the model does not read: ${columns}.`,
    unknownKept: (columns: string) =>
      `Columns that the model does not read, and that will be in the result as they are: ${columns}.`,
    unknown: (columns: string) =>
      `Columns that the model does not read, and that will not be in the result: ${columns}. Choose one below as your own reference to find your rows again.`,
    typeFault: (name: string, type: string, rows: string, row: string, value: string) =>
      `${name} is to be ${type}: ${rows} of the first rows ${rows === '1' ? 'is' : 'are'} not, first row ${row}: “${value}”. They would be left out.`,
    rangeFault: (name: string, rows: string, row: string, value: string) =>
      `${name}: ${rows} of the first rows ${rows === '1' ? 'is' : 'are'} out of range, first row ${row}: “${value}”. They would be left out.`,
    digitsFault: (name: string, rows: string, row: string, isLeftOut: boolean) =>
      `${name}: ${rows} of the first rows ${rows === '1' ? 'has' : 'have'} a CPF or CNPJ whose check digits are wrong, first row ${row}. They would be ${isLeftOut ? 'left out' : 'answered as somebody unknown'}.`,
    emptyFault: (name: string, rows: string, row: string) =>
      `${name} is required: ${rows} of the first rows ${rows === '1' ? 'has' : 'have'} none, first row ${row}. They would be left out.`,
    documentFault: (name: string, rows: string, row: string, value: string, isLeftOut: boolean) =>
      `${name}: ${rows} of the first rows ${rows === '1' ? 'has' : 'have'} neither 11 nor 14 digits, first row ${row}: “${value}”. That is no CPF or CNPJ. A spreadsheet makes such values of one that it takes for a number: make the column a text there. They would be ${isLeftOut ? 'left out' : 'answered as somebody unknown'}.`,
    wideFault: (rows: string, row: string, value: string) =>
      `${rows} of the first rows ${rows === '1' ? 'has' : 'have'} more values than the header has columns, first row ${row}: “${value}”. A value with the separator in it stands in double quotes. They would be left out.`,
    rowsCounted: 'Rows count from 1, below the header.',
    formsAs: {
      'dd/MM/yyyy': 'a day such as 31/01/2026',
      'MM/dd/yyyy': 'a day such as 01/31/2026',
      'yyyy/MM/dd': 'a day such as 2026/01/31',
      yyyyMMdd: 'a day such as 20260131',
      cpf: 'a CPF with right check digits',
      cnpj: 'a CNPJ with right check digits',
    },
    types: {
      string: 'a text',
      integer: 'a whole number',
      number: 'a number with a decimal point',
      boolean: 'true or false',
      date: 'a date such as 2026-01-31',
      timestamp: 'a moment such as 2026-01-31T18:30:00Z',
      time: 'a time such as 18:30',
      array: 'a list in JSON',
    },

    perSecond: (rows: string) => `${rows} rows/s`,
    readyAt: (when: string) => `Ready ${when}`,
    ofRows: (done: string, total: string) => `${done} of ${total} rows`,
    countingRows: 'Counting the rows',
    scored: 'scored',
    result: 'Result',
    resultBody:
      'One row for each row that was scored, with the moment as of which it was answered (as_of). In every download your columns are called as in your file, and the others as in the API.',
    referenceColumn: 'Reference (reference_id)',
    partial: 'It was stopped. What had been scored until then is kept.',
    downloadZip: 'Download all as ZIP',
    downloadFile: (name: string) => `Download ${name}`,
    asSheet: {
      en: 'For a spreadsheet in English: 1.5, commas between columns',
      'pt-BR': 'For a spreadsheet in Portuguese: 1,5, semicolons between columns',
    },
    asScored: 'As it was scored, for programs',
    language: 'Language of reasons',
    reasonsIn: (language: string) =>
      `The reasons in this result are written in ${language}. They were written as the batch ran, and its files have them in that language alone.`,
    againIn: (language: string) => `Run it again in ${language}`,
    againBody: (rows: string, isDated: boolean) =>
      `The ${rows} rows of the same files are scored once more, by the same version, upon the newest data${isDated ? ' as of the same day' : ' and as of now'}, so that answers may differ where data came in since. They are counted as any rows. This batch stays as it is.`,
    sheetName: 'spreadsheet',
    resultDeleted: (when: string) => `The result was deleted ${when}.`,
    noResult: 'Nothing was scored, so that there is no result.',
    deleteResult: 'Delete the result',
    deleteBody: 'The files of the result are deleted for good. The batch stays in the list, and its rows stay paid.',
    interrupt: 'Stop',
    interruptTitle: 'Stop this batch?',
    interruptBody: 'What has been scored until now is kept and can be downloaded. It cannot be started again.',
    errors: 'Rows that were left out',
    errorsBody: (count: string) =>
      `${count} ${count === '1' ? 'row has' : 'rows have'} no answer. The reasons, with the rows they stand in, which count from 1 below the header:`,
    firstShown: (count: string) => `The first ${count} are shown.`,
    reason: 'Reason',
    column: 'Column',
    row: 'Row',
    file: 'File',
    message: 'Message',
    wholeFile: 'whole file',
    downloadErrors: 'Download all reasons as CSV',
    rowCodes: {
      unknown_entities: 'not in the data',
      unnamed_entities: 'nobody named',
      wrong_check_digits: 'no valid CPF or CNPJ',
      outside_population: 'not whom the question is about',
      stale_data: 'past the newest data',
    },
    about: 'About this batch',
    asOf: 'As of',
    version: 'Version',
    snapshot: 'Data',
    fileList: 'Files',
    failed: 'It failed',
    codes: {
      unreadable_row: 'The row cannot be read',
      invalid_input: 'A value is not what it is to be',
      missing_input: 'A required value is missing',
      unknown_endpoint: 'The model it names does not exist',
      reference_date_in_future: 'Its date lies in the future',
      missing_column: 'A needed column is missing',
      file_unreadable: 'The file cannot be read',
      no_target: 'It names no model',
    },
  },
  {
    description: 'Arquivos cujas linhas são pontuadas juntas, com os modelos e os dados de um mesmo momento.',
    create: 'Novo lote',
    files: 'Arquivos',
    moreFiles: (count: number) => `e mais ${count}`,
    model: 'Modelo',
    perRow: 'Indicado em cada linha',
    rows: 'Linhas',
    leftOut: 'De fora',
    progress: 'Andamento',
    took: 'Duração',
    allStatuses: 'Todas as situações',
    stopping: 'Parando',
    first: 'Nenhum lote foi processado ainda',
    firstBody:
      'Um lote recebe arquivos com muitas linhas (CSV, Parquet ou JSONL) e os devolve com uma resposta para cada uma. Solte um aqui no navegador, ou envie por código.',
    total: (count: string) => `${count} lotes`,
    title: (name: string) => `Lote de ${name}`,

    newDescription:
      'Escolha um modelo e solte seus arquivos. Eles são lidos e enviados na hora, e as primeiras linhas são conferidas com o que o modelo espera.',
    alias: 'Alias ou versão',
    noTarget: 'Nenhum modelo tem uma versão ativa ainda. Treine um e aponte um alias para ele.',
    takes: (names: string, count: number) =>
      count === 1 ? `O arquivo precisa da coluna ${names}.` : `O arquivo precisa das colunas ${names}.`,
    takesMore: (count: number) => `e mais ${count}`,
    optional: (names: string) => `Opcionais: ${names}.`,
    sample: 'Baixar um arquivo vazio com essas colunas',
    hint: 'CSV, Parquet ou JSONL, também em gzip. Vários de uma vez; pode ter 5 GB.',
    notAFile: (name: string) =>
      `${name} não é um arquivo CSV, Parquet ou JSONL. Salve a planilha como CSV e solte o CSV aqui.`,
    emptyFile: (name: string) => `${name} está vazio.`,
    options: 'Opções',
    format: 'Formato do resultado',
    sameFormat: 'O mesmo de cada arquivo',
    referenceDate: 'Responder como no fim do dia',
    referenceDateHint:
      'O que se sabia até o fim desse dia. Vazio: agora. Uma coluna reference_date no arquivo prevalece.',
    priority: 'Prioridade',
    priorityHint: 'De −10 a 10. Cada ponto equivale a dez minutos de espera.',
    interval: 'Incluir os limites de cada resposta',
    keepColumns: 'Manter no resultado as outras colunas do arquivo (input_columns)',
    rowWarnings: 'Incluir em cada linha os avisos que valem para ela (warnings)',
    rowNumber: 'Incluir o número que cada linha tem no arquivo (row)',
    reference: 'Sua própria referência',
    referenceHint:
      'Uma coluna que o modelo não lê. O valor dela aparece em cada linha do resultado, como reference_id.',
    mapping: (read: number, of: number) => `Colunas encontradas: ${read} de ${of} que podem ser lidas`,
    mappingBody:
      'De qual coluna dos arquivos vem cada entrada do modelo. As colunas são encontradas pelo nome, e as de documentos e de datas pelos valores; escolha outra onde isso estiver errado.',
    guessedColumn: {
      name: (value: string) => `Encontrada pelo nome. O primeiro valor é “${value}”.`,
      values: (value: string) => `Encontrada pelos valores, que são CNPJ ou CPF. O primeiro é “${value}”.`,
      days: (value: string) =>
        `Encontrada pelos valores, que são datas: cada linha é respondida como na sua. A primeira é “${value}”.`,
    },
    severalDays: (name: string, columns: string) =>
      `Várias colunas têm datas: ${columns}. Escolha para ${name} a que diz de que dia é cada linha.`,
    undatedNow: 'Enquanto nenhuma for escolhida, todas as linhas são respondidas como agora.',
    undatedAsOf: (day: string) => `Enquanto nenhuma for escolhida, todas as linhas são respondidas como em ${day}.`,
    willCorrect: (name) => `Ficará ligado ao lote de ${name}, cujas linhas corrige.`,
    correctsNone: 'Não ligar',
    corrects: (rows, name) =>
      `Corrige ${rows === null ? 'linhas' : rows === '1' ? '1 linha' : `${rows} linhas`} do lote de ${name}`,
    correctedIn: (rows, batch) =>
      `${rows === null ? 'Linhas corrigidas' : rows === '1' ? '1 linha corrigida' : `${rows} linhas corrigidas`} no lote ${batch}`,
    correctsShort: (batch) => `corrige ${batch}`,
    correctedShort: (rows) => `${rows} corrigidas`,
    asBefore: 'As colunas e as opções são as do lote de onde vêm as linhas. Podem ser alteradas.',
    exampleValue: (value: string) => `O primeiro valor é “${value}”.`,
    noColumn: 'O modelo precisa dela: escolha a coluna que a contém.',
    columnMapping: 'Colunas',
    start: 'Pontuar as linhas',
    startWhenSent: 'Pontuar assim que o envio terminar',
    starts: 'O lote começa sozinho assim que tudo tiver sido enviado.',
    checking: 'Lendo as primeiras linhas…',
    noCheck: 'As linhas de Parquet são conferidas pelo serviço depois do envio.',
    noRows:
      'Não foi possível ler nenhuma linha. Uma planilha precisa ser salva como CSV; e abaixo do cabeçalho um arquivo precisa ter linhas.',
    fine: (rows: string) => `As primeiras ${rows} linhas estão como o modelo espera.`,
    fineAll: (rows: string) =>
      rows === '1' ? 'A linha está como o modelo espera.' : `Todas as ${rows} linhas estão como o modelo espera.`,
    missing: (columns: string) =>
      `Faltam colunas de que o modelo precisa: ${columns}. Escolha abaixo as colunas que as contêm; sem elas, o arquivo seria recusado.`,
    unknownPlain: (columns: string) => `Colunas que o modelo não lê: ${columns}.`,
    unknownKept: (columns: string) => `Colunas que o modelo não lê e que estarão no resultado como estão: ${columns}.`,
    unknown: (columns: string) =>
      `Colunas que o modelo não lê e que não estarão no resultado: ${columns}. Escolha uma abaixo como referência própria para reencontrar as suas linhas.`,
    typeFault: (name: string, type: string, rows: string, row: string, value: string) =>
      `${name} precisa ser ${type}: ${rows} das primeiras linhas não ${rows === '1' ? 'é' : 'são'}, a começar pela linha ${row}: “${value}”. ${rows === '1' ? 'Ela ficaria' : 'Elas ficariam'} de fora.`,
    rangeFault: (name: string, rows: string, row: string, value: string) =>
      `${name}: ${rows} das primeiras linhas ${rows === '1' ? 'está' : 'estão'} fora dos limites, a começar pela linha ${row}: “${value}”. ${rows === '1' ? 'Ela ficaria' : 'Elas ficariam'} de fora.`,
    digitsFault: (name: string, rows: string, row: string, isLeftOut: boolean) =>
      `${name}: ${rows} das primeiras linhas ${rows === '1' ? 'tem' : 'têm'} um CPF ou CNPJ com dígitos verificadores errados, a começar pela linha ${row}. ${sayUnanswered(rows, isLeftOut)}`,
    emptyFault: (name: string, rows: string, row: string) =>
      `${name} é obrigatória: ${rows} das primeiras linhas ${rows === '1' ? 'está' : 'estão'} sem valor, a começar pela linha ${row}. ${rows === '1' ? 'Ela ficaria' : 'Elas ficariam'} de fora.`,
    documentFault: (name: string, rows: string, row: string, value: string, isLeftOut: boolean) =>
      `${name}: ${rows} das primeiras linhas não ${rows === '1' ? 'tem' : 'têm'} 11 nem 14 dígitos, a começar pela linha ${row}: “${value}”. Não é CPF nem CNPJ. Uma planilha faz isso com um que toma por número: formate a coluna como texto nela. ${sayUnanswered(rows, isLeftOut)}`,
    wideFault: (rows: string, row: string, value: string) =>
      `${rows} das primeiras linhas ${rows === '1' ? 'tem' : 'têm'} mais valores do que o cabeçalho tem colunas, a começar pela linha ${row}: “${value}”. Um valor que contém o separador fica entre aspas duplas. ${rows === '1' ? 'Ela ficaria' : 'Elas ficariam'} de fora.`,
    rowsCounted: 'As linhas contam a partir de 1, sem o cabeçalho.',
    formsAs: {
      'dd/MM/yyyy': 'uma data como 31/01/2026',
      'MM/dd/yyyy': 'uma data como 01/31/2026',
      'yyyy/MM/dd': 'uma data como 2026/01/31',
      yyyyMMdd: 'uma data como 20260131',
      cpf: 'um CPF com dígitos verificadores certos',
      cnpj: 'um CNPJ com dígitos verificadores certos',
    },
    types: {
      string: 'um texto',
      integer: 'um número inteiro',
      number: 'um número com ponto decimal',
      boolean: 'true ou false',
      date: 'uma data como 2026-01-31',
      timestamp: 'um momento como 2026-01-31T18:30:00Z',
      time: 'um horário como 18:30',
      array: 'uma lista em JSON',
    },

    perSecond: (rows: string) => `${rows} linhas/s`,
    readyAt: (when: string) => `Pronto ${when}`,
    ofRows: (done: string, total: string) => `${done} de ${total} linhas`,
    countingRows: 'Contando as linhas',
    scored: 'pontuadas',
    result: 'Resultado',
    resultBody:
      'Uma linha para cada linha pontuada, com o momento a que a resposta se refere (as_of). Em todo download, as suas colunas têm os nomes do seu arquivo, e as outras, os da API.',
    referenceColumn: 'Referência (reference_id)',
    partial: 'O lote foi interrompido. O que já tinha sido pontuado está guardado.',
    downloadZip: 'Baixar tudo em ZIP',
    downloadFile: (name: string) => `Baixar ${name}`,
    asSheet: {
      en: 'Para planilha em inglês: 1.5, vírgulas entre as colunas',
      'pt-BR': 'Para planilha em português: 1,5, ponto e vírgula entre as colunas',
    },
    asScored: 'Como foi pontuado, para programas',
    language: 'Idioma dos motivos',
    reasonsIn: (language) =>
      `Os motivos deste resultado estão escritos em ${language}. Foram escritos quando o lote rodou, e os arquivos só os têm nesse idioma.`,
    againIn: (language) => `Rodar de novo em ${language}`,
    againBody: (rows, isDated) =>
      `As ${rows} linhas dos mesmos arquivos são pontuadas mais uma vez, pela mesma versão, sobre os dados mais novos${isDated ? ' na posição do mesmo dia' : ' e na posição de agora'}; onde chegaram dados desde então, as respostas podem mudar. Elas contam como quaisquer linhas. Este lote fica como está.`,
    sheetName: 'planilha',
    resultDeleted: (when: string) => `O resultado foi excluído ${when}.`,
    noResult: 'Nada foi pontuado, por isso não há resultado.',
    deleteResult: 'Excluir o resultado',
    deleteBody:
      'Os arquivos do resultado são excluídos para sempre. O lote continua na lista, e suas linhas continuam cobradas.',
    interrupt: 'Interromper',
    interruptTitle: 'Interromper este lote?',
    interruptBody: 'O que já foi pontuado fica guardado e pode ser baixado. O lote não pode ser retomado.',
    errors: 'Linhas que ficaram de fora',
    errorsBody: (count: string) =>
      `${count} ${count === '1' ? 'linha não tem' : 'linhas não têm'} resposta. Os motivos, com as linhas em que aparecem, contadas a partir de 1, sem o cabeçalho:`,
    firstShown: (count: string) => `São mostradas as primeiras ${count}.`,
    reason: 'Motivo',
    column: 'Coluna',
    row: 'Linha',
    file: 'Arquivo',
    message: 'Mensagem',
    wholeFile: 'arquivo inteiro',
    downloadErrors: 'Baixar todos os motivos em CSV',
    rowCodes: {
      unknown_entities: 'não está nos dados',
      unnamed_entities: 'ninguém indicado',
      wrong_check_digits: 'CPF ou CNPJ inválido',
      outside_population: 'fora do público da pergunta',
      stale_data: 'depois dos dados mais novos',
    },
    about: 'Sobre este lote',
    asOf: 'Data de referência',
    version: 'Versão',
    snapshot: 'Dados',
    fileList: 'Arquivos',
    failed: 'Falhou',
    codes: {
      unreadable_row: 'A linha não pode ser lida',
      invalid_input: 'Um valor não é o que deveria ser',
      missing_input: 'Falta um valor obrigatório',
      unknown_endpoint: 'O modelo indicado não existe',
      reference_date_in_future: 'A data está no futuro',
      missing_column: 'Falta uma coluna necessária',
      file_unreadable: 'O arquivo não pode ser lido',
      no_target: 'Não indica nenhum modelo',
    },
  },
);

function sayUnanswered(rows: string, isLeftOut: boolean): string {
  if (isLeftOut) return rows === '1' ? 'Ela ficaria de fora.' : 'Elas ficariam de fora.';
  return `${rows === '1' ? 'Ela seria respondida' : 'Elas seriam respondidas'} como alguém desconhecido.`;
}
