import { words } from '../words/words.ts';

export const dataZoneWords = words(
  {
    hint: (zone: string, own: string) =>
      `A day of the data. Their times with an offset (…Z, −03:00) are read on the clocks of ${zone}, by the contract. All else on the page is on those of the workspace, ${own}.`,
    note: (zone: string, own: string) =>
      `Days of rows are those of the data, whose times with an offset are read on the clocks of ${zone}. The day chosen here, and all times, are on those of the workspace (${own}).`,
  },
  {
    hint: (zone, own) =>
      `Um dia dos dados. Os horários deles com deslocamento (…Z, −03:00) são lidos nos relógios de ${zone}, pelo contrato. O resto da página está nos do workspace, ${own}.`,
    note: (zone, own) =>
      `Os dias das linhas são os dos dados, cujos horários com deslocamento são lidos nos relógios de ${zone}. O dia escolhido aqui e todos os horários estão nos do workspace (${own}).`,
  },
);
