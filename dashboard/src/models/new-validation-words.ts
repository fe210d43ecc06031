import { words } from '../words/words.ts';

export const newValidationWords = words(
  {
    newBody:
      'It is measured on the newest rows that neither version has learned from, at present, and as of an earlier moment.',
    againstHint: 'Gates look at the validation against the version that an alias points at.',
    alias: (alias: string) => `The version behind ${alias}`,
    itself: 'Nothing but itself',
    day: 'Reference day',
    dayHint: 'Nothing after the end of this day is read. Without one, all that is known now.',
    start: 'Start',
  },
  {
    newBody:
      'Mede-se nas linhas mais novas das quais nenhuma das versões aprendeu, no presente, e num momento anterior.',
    againstHint: 'Os critérios olham para a validação contra a versão à qual um alias aponta.',
    alias: (alias: string) => `A versão por trás de ${alias}`,
    itself: 'Nada além de si mesma',
    day: 'Dia de referência',
    dayHint: 'Nada depois do fim deste dia é lido. Sem ele, tudo o que se sabe agora.',
    start: 'Iniciar',
  },
);
