// What mails say, in the languages of the service.

export type Language = 'en' | 'pt-BR';
export type Letter = { readonly subject: string; readonly text: string };

type Texts<T extends readonly string[]> = Readonly<Record<Language, (...values: T) => Letter>>;

/** The letter of a kind in a language, signed. */
function letter<T extends readonly string[]>(texts: Texts<T>): (language: Language, ...values: T) => Letter {
  return (language, ...values) => {
    const { subject, text } = texts[language](...(values.map(oneLine) as unknown as T));
    return { subject, text: `${text}\n\nLastro\n` };
  };
}

/** Names are of one line in a mail, whatever somebody has put into them. */
function oneLine(value: string): string {
  return value.replace(/\p{Cc}+/gu, ' ');
}

export const verifyAddress = letter<[link: string, token: string]>({
  en: (link, token) => ({
    subject: 'Confirm your address',
    text: `Open this address within 24 hours to finish signing up:\n\n${link}\n\nOr send this token to POST /v1/api/users/verification:\n\n${token}\n\nIf you have not signed up, do nothing: no account is made.`,
  }),
  'pt-BR': (link, token) => ({
    subject: 'Confirme seu endereço',
    text: `Abra este endereço em até 24 horas para concluir o cadastro:\n\n${link}\n\nOu envie este código a POST /v1/api/users/verification:\n\n${token}\n\nSe você não fez o cadastro, não faça nada: nenhuma conta será criada.`,
  }),
});

export const alreadySignedUp = letter<[]>({
  en: () => ({
    subject: 'You already have an account',
    text: 'Somebody, perhaps you, asked to sign up with your address, which has an account already. Sign in with it, or reset its password if you have forgotten it. Nothing has been changed.',
  }),
  'pt-BR': () => ({
    subject: 'Você já tem uma conta',
    text: 'Alguém, talvez você, pediu um cadastro com o seu endereço, que já tem uma conta. Entre com ela, ou redefina a senha se a esqueceu. Nada foi alterado.',
  }),
});

export const resetPassword = letter<[link: string, token: string]>({
  en: (link, token) => ({
    subject: 'Reset your password',
    text: `Open this address within an hour to choose a new password:\n\n${link}\n\nOr send this token to POST /v1/api/password-resets/confirmation:\n\n${token}\n\nIf you have not asked for it, do nothing: your password stays as it is.`,
  }),
  'pt-BR': (link, token) => ({
    subject: 'Redefina sua senha',
    text: `Abra este endereço em até uma hora para escolher uma nova senha:\n\n${link}\n\nOu envie este código a POST /v1/api/password-resets/confirmation:\n\n${token}\n\nSe você não pediu isso, não faça nada: sua senha continua a mesma.`,
  }),
});

export const passwordChanged = letter<[]>({
  en: () => ({
    subject: 'Your password was changed',
    text: 'The password of your account was changed, and all other sessions were signed out. API keys stay valid. If it was not you, reset your password at once and tell whoever administers your organization.',
  }),
  'pt-BR': () => ({
    subject: 'Sua senha foi alterada',
    text: 'A senha da sua conta foi alterada, e todas as outras sessões foram encerradas. As chaves de API continuam válidas. Se não foi você, redefina sua senha imediatamente e avise quem administra sua organização.',
  }),
});

export const breakGlassUsed = letter<[email: string, ip: string]>({
  en: (email, ip) => ({
    subject: 'Somebody signed in without single sign-on',
    text: `${email} signed in as a break-glass admin, with password and second factor, from the address ${ip}. Members of your organization sign in by single sign-on. If nobody had to do this, end that person's sessions and look at the audit trail at once.`,
  }),
  'pt-BR': (email, ip) => ({
    subject: 'Alguém entrou sem o login único',
    text: `${email} entrou como administrador de emergência, com senha e segundo fator, a partir do endereço ${ip}. Os membros da sua organização entram pelo login único. Se ninguém precisava fazer isso, encerre as sessões dessa pessoa e consulte a trilha de auditoria imediatamente.`,
  }),
});

export const signsInElsewhere = letter<[connection: string]>({
  en: (connection) => ({
    subject: 'You sign in at your identity provider now',
    text: `Somebody signed in to your account for the first time at your organization's identity provider (${connection}), which vouches that it is you. If it was not you, tell whoever administers your organization at once.`,
  }),
  'pt-BR': (connection) => ({
    subject: 'Agora você entra pelo provedor de identidade',
    text: `Alguém entrou na sua conta pela primeira vez pelo provedor de identidade da sua organização (${connection}), que confirma ser você. Se não foi você, avise imediatamente quem administra sua organização.`,
  }),
});

export const useSingleSignOn = letter<[link: string]>({
  en: (link) => ({
    subject: 'You sign in by single sign-on',
    text: `Somebody, perhaps you, asked to reset the password of your account. People of your organization have none to reset: they sign in here:\n\n${link}`,
  }),
  'pt-BR': (link) => ({
    subject: 'Você entra pelo login único',
    text: `Alguém, talvez você, pediu para redefinir a senha da sua conta. As pessoas da sua organização não têm senha para redefinir: elas entram por aqui:\n\n${link}`,
  }),
});

export const secondFactorChanged = letter<[]>({
  en: () => ({
    subject: 'The second factor of your account was changed',
    text: 'An app for codes was set up or taken off your account, or its recovery codes were made anew. If it was not you, change your password at once and tell whoever administers your organization.',
  }),
  'pt-BR': () => ({
    subject: 'O segundo fator da sua conta foi alterado',
    text: 'Um aplicativo de códigos foi configurado ou removido da sua conta, ou os códigos de recuperação foram refeitos. Se não foi você, altere sua senha imediatamente e avise quem administra sua organização.',
  }),
});

export const passkeyAdded = letter<[name: string]>({
  en: (name) => ({
    subject: 'A passkey was added to your account',
    text: `The passkey “${name}” now signs in to your account, without your password. If it was not you who added it, delete it, change your password at once and tell whoever administers your organization.`,
  }),
  'pt-BR': (name) => ({
    subject: 'Uma chave de acesso foi adicionada à sua conta',
    text: `A chave de acesso “${name}” agora entra na sua conta, sem a sua senha. Se não foi você quem a adicionou, exclua-a, altere sua senha imediatamente e avise quem administra sua organização.`,
  }),
});

export const passkeyRemoved = letter<[name: string]>({
  en: (name) => ({
    subject: 'A passkey was removed from your account',
    text: `The passkey “${name}” no longer signs in to your account. If it was not you who removed it, change your password at once and tell whoever administers your organization.`,
  }),
  'pt-BR': (name) => ({
    subject: 'Uma chave de acesso foi removida da sua conta',
    text: `A chave de acesso “${name}” não entra mais na sua conta. Se não foi você quem a removeu, altere sua senha imediatamente e avise quem administra sua organização.`,
  }),
});

export const passkeyRefused = letter<[name: string]>({
  en: (name) => ({
    subject: 'A passkey of your account was refused',
    text: `The passkey “${name}” was used in a way that says that there is a copy of it: it had counted further before. The sign-in was refused. Delete the passkey and register another, and tell whoever administers your organization.`,
  }),
  'pt-BR': (name) => ({
    subject: 'Uma chave de acesso da sua conta foi recusada',
    text: `A chave de acesso “${name}” foi usada de um modo que indica que existe uma cópia dela: ela já havia contado além disso. O acesso foi recusado. Exclua a chave de acesso e cadastre outra, e avise quem administra sua organização.`,
  }),
});

export const newDevice = letter<[device: string, ip: string]>({
  en: (device, ip) => ({
    subject: 'A new sign-in to your account',
    text: `Your account was used to sign in on a device that was not known before:\n\n${device}\nfrom ${ip}\n\nIf it was not you, end the session and change your password.`,
  }),
  'pt-BR': (device, ip) => ({
    subject: 'Um novo acesso à sua conta',
    text: `Sua conta foi usada para entrar em um dispositivo que não era conhecido:\n\n${device}\na partir de ${ip}\n\nSe não foi você, encerre a sessão e altere sua senha.`,
  }),
});

export const sessionMoved = letter<[ip: string]>({
  en: (ip) => ({
    subject: 'A session was signed out',
    text: `A session of your account was used from a device on which it did not begin, from ${ip}, and was signed out. Sign in again; if somebody else may have your cookies, change your password too.`,
  }),
  'pt-BR': (ip) => ({
    subject: 'Uma sessão foi encerrada',
    text: `Uma sessão da sua conta foi usada em um dispositivo em que não começou, a partir de ${ip}, e foi encerrada. Entre de novo; se outra pessoa pode ter seus cookies, altere também sua senha.`,
  }),
});

export const changeAddress = letter<[link: string, token: string]>({
  en: (link, token) => ({
    subject: 'Confirm your new address',
    text: `Open this address within an hour, signed in, to use this mail address for your account:\n\n${link}\n\nOr send this token to POST /v1/api/user/email/verification:\n\n${token}\n\nIf you have not asked for it, do nothing.`,
  }),
  'pt-BR': (link, token) => ({
    subject: 'Confirme seu novo endereço',
    text: `Abra este endereço em até uma hora, com a sessão iniciada, para usar este e-mail na sua conta:\n\n${link}\n\nOu envie este código a POST /v1/api/user/email/verification:\n\n${token}\n\nSe você não pediu isso, não faça nada.`,
  }),
});

export const addressChanged = letter<[address: string]>({
  en: (address) => ({
    subject: 'The address of your account was changed',
    text: `Your account now has the address ${address}. If it was not you, tell whoever administers your organization at once.`,
  }),
  'pt-BR': (address) => ({
    subject: 'O endereço da sua conta foi alterado',
    text: `Sua conta agora tem o endereço ${address}. Se não foi você, avise imediatamente quem administra sua organização.`,
  }),
});

export const invitation = letter<[inviter: string, place: string, role: string, link: string, token: string]>({
  en: (inviter, place, role, link, token) => ({
    subject: `You are invited to ${place}`,
    text: `${inviter} invites you to ${place} as ${role}. Open this address within 7 days to accept:\n\n${link}\n\nOr send this token to POST /v1/api/invitations/acceptance:\n\n${token}\n\nIf you do not know ${inviter}, do nothing.`,
  }),
  'pt-BR': (inviter, place, role, link, token) => ({
    subject: `Convite para ${place}`,
    text: `${inviter} convida você para ${place} como ${role}. Abra este endereço em até 7 dias para aceitar:\n\n${link}\n\nOu envie este código a POST /v1/api/invitations/acceptance:\n\n${token}\n\nSe você não conhece ${inviter}, não faça nada.`,
  }),
});
