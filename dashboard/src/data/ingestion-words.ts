import { words } from '../words/words.ts';

export const ingestionWords = words(
  {
    file: 'File',
    ingestion: 'ingestion',
    filesComing: (count: number) =>
      count === 1 ? '1 file is being checked and taken in now:' : `${count} files are being checked and taken in now:`,
    rereadNow: 'The data are being brought under it:',
    filesWait: (count: number, tables: string) =>
      count === 1
        ? `1 file of ${tables} was refused before this contract was accepted, and is not in the data:`
        : `${count} files of ${tables} were refused before this contract was accepted, and are not in the data:`,
    ingestionTitle: (tables: string) => `Ingestion of ${tables}`,
    reread: 'Reading again',
    rereadBody: 'The data are brought under a contract that was accepted; its files had been sent before.',
    noIngestion: 'Nothing has come in yet',
    took: 'Took',
    phase: 'Phase',
    result: 'Result',
    unchanged: 'All of it was there already.',
    begins: 'It begins',
    stop: 'Stop',
    stopTitle: 'Stop this ingestion?',
    stopBody: 'Nothing of it is taken in.',
    newRows: 'New',
    changedRows: 'Changed',
    removedRows: 'Removed',
    sameRows: 'The same',
    beforeRows: 'Before',
    afterRows: 'After',
    rejectedRows: 'Rejected',
    tableChanges: 'What it changed',
    filesRead: 'What was read',
    warnings: 'What to look at',
    notes: 'Notes',
    deviations: 'How the files deviate from the contract',
    deviationsBody: 'With the first rows of each. Rows count from 1, without the header.',
    deviationsHidden: 'The values in question are shown to those who may upload files.',
    faultsToo: 'Under the proposed contract the files would still be refused for rows at fault: correct these, too.',
    takeApart:
      'Nothing of it was taken in. Its other rows can be sent without these, and these once they are corrected.',
    goodRows: (count: string) => `Download the other ${count} rows`,
    badRows: (count: string, isOne: boolean) =>
      isOne ? 'Download the row at fault' : `Download the ${count} rows at fault`,
    dataError: 'The rows are at fault: correct the files and send all of them again.',
    dataErrorSome:
      'The rows are at fault, and nothing was taken in. Only the files below are to be corrected and sent again.',
    faultlessFiles: (count: number) =>
      count === 1
        ? 'The other file is without faults. It need not be uploaded again: take it in now, as it is.'
        : `The other ${count} files are without faults. They need not be uploaded again: take them in now, as they are.`,
    faultlessTaken: (count: number) =>
      count === 1 ? 'The other file has been taken in since.' : `The other ${count} files have been taken in since.`,
    takeFaultless: (count: number) =>
      count === 1 ? 'Take the file without faults in' : `Take the ${count} files without faults in`,
    sendCorrected: 'Send corrected files',
    newVersion:
      'The files ask for another version of the contract. If they are right, accept it, and they are taken in.',
    firstVersion:
      'There was no contract yet. This one was read off the files: look at it, and accept it to take them in.',
    acceptedSince: 'It has been accepted since: the files came in under it, or wait to.',
    asksFirst: 'There was no contract yet: one was read off the files, and waits to be accepted.',
    overtaken: 'Another contract has become the active one since. The files can be taken in under it.',
    takeAgain: 'Take the files in under it',
    seeProposal: 'Look at the proposed contract',
    acceptProposal: 'Accept it and take the files in',
    row: 'Row',
    value: 'Value',
    rowsConcerned: (count: string, isOne: boolean) => (isOne ? '1 row' : `${count} rows`),
    asksContract: 'Asks for a contract',
    askedContract: 'Asked for a contract',
    askedBefore: 'It asked for a contract; another one has become active since.',
    wholeFile: 'the whole file',
    emptyValue: 'empty',
    rereadBy: 'The data are brought under the contract by',
    about: 'About this ingestion',
    snapshot: 'Data',
    underContract: 'Contract',
    next: 'Next:',
    or: 'or',
    firstTask: 'say what is to be predicted',
    trainTask: (task: string) => `train “${task}”`,
    trainAgain: (model: string) => `train “${model}” again on the new data`,
    askModel: (model: string) => `ask “${model}”`,
  },
  {
    file: 'Arquivo',
    ingestion: 'ingestão',
    filesComing: (count: number) =>
      count === 1
        ? '1 arquivo está sendo conferido e carregado agora:'
        : `${count} arquivos estão sendo conferidos e carregados agora:`,
    rereadNow: 'Os dados estão sendo adequados a ele:',
    filesWait: (count: number, tables: string) =>
      count === 1
        ? `1 arquivo de ${tables} foi recusado antes de este contrato ser aceito e não está nos dados:`
        : `${count} arquivos de ${tables} foram recusados antes de este contrato ser aceito e não estão nos dados:`,
    ingestionTitle: (tables: string) => `Ingestão de ${tables}`,
    reread: 'Releitura',
    rereadBody: 'Os dados são adequados a um contrato que foi aceito; os arquivos já tinham sido enviados.',
    noIngestion: 'Nada chegou ainda',
    took: 'Duração',
    phase: 'Fase',
    result: 'Resultado',
    unchanged: 'Tudo já estava lá.',
    begins: 'Está começando',
    stop: 'Interromper',
    stopTitle: 'Interromper esta ingestão?',
    stopBody: 'Nada dela entra nos dados.',
    newRows: 'Novas',
    changedRows: 'Alteradas',
    removedRows: 'Removidas',
    sameRows: 'Iguais',
    beforeRows: 'Antes',
    afterRows: 'Depois',
    rejectedRows: 'Rejeitadas',
    tableChanges: 'O que ela mudou',
    filesRead: 'O que foi lido',
    warnings: 'Vale olhar',
    notes: 'Notas',
    deviations: 'Como os arquivos fogem do contrato',
    deviationsBody: 'Com as primeiras linhas de cada desvio. As linhas contam a partir de 1, sem o cabeçalho.',
    deviationsHidden: 'Os valores em questão são mostrados a quem pode enviar arquivos.',
    faultsToo: 'Sob o contrato proposto, os arquivos ainda seriam recusados por linhas com erro: corrija-as também.',
    takeApart: 'Nada dele foi recebido. As outras linhas podem ser enviadas sem estas, e estas depois de corrigidas.',
    goodRows: (count: string) => `Baixar as outras ${count} linhas`,
    badRows: (count: string, isOne: boolean) =>
      isOne ? 'Baixar a linha com erro' : `Baixar as ${count} linhas com erro`,
    dataError: 'O problema está nas linhas: corrija os arquivos e envie todos de novo.',
    dataErrorSome:
      'O problema está nas linhas, e nada entrou nos dados. Só os arquivos abaixo precisam ser corrigidos e enviados de novo.',
    faultlessFiles: (count: number) =>
      count === 1
        ? 'O outro arquivo está sem erros. Não é preciso enviá-lo de novo: inclua-o agora, como está.'
        : `Os outros ${count} arquivos estão sem erros. Não é preciso enviá-los de novo: inclua-os agora, como estão.`,
    faultlessTaken: (count: number) =>
      count === 1 ? 'O outro arquivo já entrou nos dados.' : `Os outros ${count} arquivos já entraram nos dados.`,
    takeFaultless: (count: number) =>
      count === 1 ? 'Incluir o arquivo sem erros' : `Incluir os ${count} arquivos sem erros`,
    sendCorrected: 'Enviar arquivos corrigidos',
    newVersion: 'Os arquivos pedem outra versão do contrato. Se eles estão certos, aceite-a, e eles entram nos dados.',
    firstVersion: 'Ainda não havia contrato. Este foi lido dos arquivos: confira e aceite para que eles entrem.',
    acceptedSince: 'Foi aceito desde então: os arquivos entraram sob ele, ou esperam para entrar.',
    asksFirst: 'Ainda não havia contrato: um foi lido dos arquivos e espera ser aceito.',
    overtaken: 'De lá para cá, outro contrato se tornou o ativo. Os arquivos podem entrar sob ele.',
    takeAgain: 'Incluir os arquivos sob ele',
    seeProposal: 'Ver o contrato proposto',
    acceptProposal: 'Aceitar e incluir os arquivos',
    row: 'Linha',
    value: 'Valor',
    rowsConcerned: (count: string, isOne: boolean) => (isOne ? '1 linha' : `${count} linhas`),
    asksContract: 'Pede um contrato',
    askedContract: 'Pediu um contrato',
    askedBefore: 'Pediu um contrato; desde então, outro passou a ser o ativo.',
    wholeFile: 'o arquivo inteiro',
    emptyValue: 'vazio',
    rereadBy: 'Os dados são adequados ao contrato pela',
    about: 'Sobre esta ingestão',
    snapshot: 'Dados',
    underContract: 'Contrato',
    next: 'A seguir:',
    or: 'ou',
    firstTask: 'diga o que deve ser previsto',
    trainTask: (task: string) => `treinar “${task}”`,
    trainAgain: (model: string) => `treinar “${model}” de novo com os dados novos`,
    askModel: (model: string) => `perguntar a “${model}”`,
  },
);
