import { words } from '../words/words.ts';

export const oldDataWords = words(
  {
    asOfNewest: (day: string) => `Rows are answered as of ${day}, the newest day of the data.`,
    beforeAll: (day: string, oldest: string) =>
      `On ${day} nothing had happened yet: the data begin on ${oldest}. Rows would be answered as of somebody of whom nothing is known.`,
    ahead: (day: string, today: string) =>
      `${day} lies ahead: rows are answered as of ${today}, which is today, at the latest.`,
  },
  {
    asOfNewest: (day) => `As linhas são respondidas como em ${day}, o dia mais novo dos dados.`,
    beforeAll: (day, oldest) =>
      `Em ${day} nada havia acontecido ainda: os dados começam em ${oldest}. As linhas seriam respondidas como de alguém de quem nada se sabe.`,
    ahead: (day, today) =>
      `${day} ainda não chegou: as linhas são respondidas, no máximo, como em ${today}, que é hoje.`,
  },
);
