import { words } from '../words/words.ts';

export const replayWords = words(
  {
    title: 'Replay',
    about:
      'Answers it again by the same version, over the same data and as of the same moment, and holds the answer against the one that was sent.',
    replay: 'Replay',
    identical: 'The same to the byte',
    different: 'Not the same',
    logAltered: 'The answer that was sent is given again, and the log has another one: it was changed afterwards.',
    where: 'It differs at:',
    hashAlone: 'Every value is the same, and the hash that was kept of the answer is another one.',
    refused: (detail: string) => `What the log says was asked is refused: ${detail}`,
    engines: (then: string, now: string) => `It was answered by ${then}, and now by ${now}.`,
    cannot: 'It cannot be answered again',
    versionGone: 'Its version is gone: it was deleted with its model, or its stored files are missing or damaged.',
    snapshotGone: 'The data that it read are gone: an erasure has emptied them, or they are missing or damaged.',
  },
  {
    title: 'Repetição',
    about:
      'Responde de novo com a mesma versão, sobre os mesmos dados e na mesma data de referência, e compara com a resposta que foi enviada.',
    replay: 'Repetir',
    identical: 'Igual até o último byte',
    different: 'Não é igual',
    logAltered: 'A resposta que foi enviada sai de novo, e o registro tem outra: foi alterado depois.',
    where: 'Difere em:',
    hashAlone: 'Todos os valores são iguais, e o hash guardado da resposta é outro.',
    refused: (detail: string) => `O que o registro diz que foi perguntado é recusado: ${detail}`,
    engines: (then: string, now: string) => `Foi respondida por ${then}, e agora por ${now}.`,
    cannot: 'Não pode ser respondida de novo',
    versionGone: 'A versão não existe mais: foi excluída com o modelo, ou seus arquivos faltam ou estão danificados.',
    snapshotGone: 'Os dados que ela leu não existem mais: um apagamento os esvaziou, ou faltam ou estão danificados.',
  },
);
