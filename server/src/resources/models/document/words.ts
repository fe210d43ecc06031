import type { Context } from '../../../access/context.ts';
import { en, type Words } from './words/en.ts';
import { pt } from './words/pt.ts';

export type Language = Context['language'];

export const documentWords: Readonly<Record<Language, Words>> = { en, 'pt-BR': pt };
