import { words } from '../words/words.ts';

/** What is said of the result of a batch, which the page of a new one does not load. */
export const resultWords = words(
  {
    result: 'Result',
    resultBody:
      'One row for each row that was scored, with the moment as of which it was answered (as_of). In every download your columns are called as in your file, and the others as in the API.',
    downloadZip: 'Download all as ZIP',
    downloadFile: (name: string) => `Download ${name}`,
    asSheet: {
      en: 'For a spreadsheet in English: 1.5, commas between columns',
      'pt-BR': 'For a spreadsheet in Portuguese: 1,5, semicolons between columns',
    },
    asScored: 'As it was scored, for programs',
    sheetName: 'spreadsheet',
    resultDeleted: (when: string) => `The result was deleted ${when}.`,
    noResult: 'Nothing was scored, so that there is no result.',
    deleteResult: 'Delete the result',
    deleteBody: 'The files of the result are deleted for good. The batch stays in the list, and its rows stay paid.',
    reasonsIn: (language: string) =>
      `The reasons in this result are written in ${language}. They were written as the batch ran, and its files have them in that language alone.`,
    againIn: (language: string) => `Run it again in ${language}`,
    againBody: (rows: string, isDated: boolean) =>
      `The ${rows} rows of the same files are scored once more, by the same version, upon the newest data, ${isDated ? 'as of the same day' : 'as of the new batch'}: where newer data came in, answers differ. They are counted like all others. This batch keeps its result.`,
  },
  {
    result: 'Resultado',
    resultBody:
      'Uma linha para cada linha pontuada, com o momento a que a resposta se refere (as_of). Em cada arquivo baixado, as suas colunas têm os nomes do seu arquivo, e as outras, os da API.',
    downloadZip: 'Baixar tudo em ZIP',
    downloadFile: (name: string) => `Baixar ${name}`,
    asSheet: {
      en: 'Para planilha em inglês: 1.5, vírgulas entre as colunas',
      'pt-BR': 'Para planilha em português: 1,5, ponto e vírgula entre as colunas',
    },
    asScored: 'Como foi pontuado, para programas',
    sheetName: 'planilha',
    resultDeleted: (when: string) => `O resultado foi excluído ${when}.`,
    noResult: 'Nada foi pontuado, por isso não há resultado.',
    deleteResult: 'Excluir o resultado',
    deleteBody:
      'Os arquivos do resultado são excluídos para sempre. O lote continua na lista, e suas linhas continuam cobradas.',
    reasonsIn: (language) =>
      `Os motivos deste resultado estão escritos em ${language}. Foram escritos quando o lote rodou, e os arquivos só os têm nesse idioma.`,
    againIn: (language) => `Rodar de novo em ${language}`,
    againBody: (rows, isDated) =>
      `As ${rows} linhas dos mesmos arquivos são pontuadas mais uma vez, pela mesma versão, sobre os dados mais novos${isDated ? ' na posição do mesmo dia' : ' e na posição de agora'}; onde chegaram dados desde então, as respostas podem mudar. Elas contam como quaisquer linhas. Este lote fica como está.`,
  },
);
