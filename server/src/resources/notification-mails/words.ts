// What mails of notifications and the page of their links say, in the languages of the service.
import type { Language } from '../mails/texts.ts';

export type MailWords = {
  /** Of a mail that tells of several. */
  readonly several: (count: number) => string;
  readonly more: (count: number) => string;
  readonly open: string;
  readonly why: (place: string) => string;
  readonly turnOff: string;
};

export const mailWords: Readonly<Record<Language, MailWords>> = {
  en: {
    several: (count) => `${count} notifications`,
    more: (count) => `… and ${count} more, which your inbox has.`,
    open: 'Open',
    why: (place) => `You are told this because of your notification preferences in ${place}.`,
    turnOff: 'Turn off mails like this',
  },
  'pt-BR': {
    several: (count) => `${count} notificações`,
    more: (count) => `… e mais ${count}, que estão na sua caixa de entrada.`,
    open: 'Abrir',
    why: (place) => `Você recebe isto por causa das suas preferências de notificação em ${place}.`,
    turnOff: 'Desativar e-mails como este',
  },
};

export type PageWords = {
  readonly title: string;
  readonly ask: (email: string) => string;
  readonly button: string;
  readonly done: string;
  readonly rest: string;
};

export const pageWords: Readonly<Record<Language, PageWords>> = {
  en: {
    title: 'Turn off mails',
    ask: (email) => `Mails about this will no longer be sent to ${email}:`,
    button: 'Turn off',
    done: 'They are turned off. No mail will be sent any more about:',
    rest: 'Your inbox is as it was; the notification preferences turn mails on again.',
  },
  'pt-BR': {
    title: 'Desativar e-mails',
    ask: (email) => `E-mails sobre isto não serão mais enviados a ${email}:`,
    button: 'Desativar',
    done: 'Estão desativados. Nenhum e-mail será mais enviado sobre:',
    rest: 'Sua caixa de entrada continua como estava; as preferências de notificação reativam os e-mails.',
  },
};
