import { words } from '../words/words.ts';

export const oldDataWords = words(
  { asOfNewest: (day: string) => `Rows are answered as of ${day}, the newest day of the data.` },
  { asOfNewest: (day) => `As linhas são respondidas como em ${day}, o dia mais novo dos dados.` },
);
