import { words } from '../words/words.ts';

export const proofWords = words(
  {
    title: 'Is it you?',
    body: 'This is sensitive, and your last proof is older than ten minutes. Prove who you are, and it goes on.',
    password: 'Password',
    noPassword:
      'You came by a link and have none? Come by a new one from the operator, or choose one by “Forgot your password?” where you sign in.',
    demoPassword: 'The password of the demo stands in data/demo.json, on the machine where Lastro runs.',
    code: 'Code of your app, or a recovery code',
    codeHint: 'Each code is good once.',
    goOn: 'Go on',
    passkey: 'Use a passkey',
    noPasskeys: 'You have a passkey, and this browser cannot ask for it here. Open Lastro by its own name and TLS.',
    atProvider: 'Prove it at your identity provider',
    atProviderBody: 'You signed in by single sign-on: prove it there. You come back to this page, and do it again.',
    noProvider: 'You signed in by single sign-on, whose connection is not active. Sign out, and in another way.',
  },
  {
    title: 'É você mesmo?',
    body: 'Esta ação é sensível, e sua última comprovação tem mais de dez minutos. Comprove quem você é, e ela segue.',
    password: 'Senha',
    noPassword:
      'Você entrou por um link e não tem senha? Entre por um novo link do operador, ou escolha uma senha em “Esqueceu a senha?”, na página de entrada.',
    demoPassword: 'A senha da demonstração está em data/demo.json, na máquina em que o Lastro roda.',
    code: 'Código do seu aplicativo, ou um código de recuperação',
    codeHint: 'Cada código vale uma vez.',
    goOn: 'Continuar',
    passkey: 'Usar uma passkey',
    noPasskeys: 'Você tem uma passkey, e este navegador não pode pedi-la aqui. Abra o Lastro pelo nome dele, com TLS.',
    atProvider: 'Comprovar no seu provedor de identidade',
    atProviderBody: 'Você entrou por login único: comprove lá. Depois você volta a esta página e repete a ação.',
    noProvider: 'Você entrou por login único, cuja conexão não está ativa. Saia, e entre de outro jeito.',
  },
);
