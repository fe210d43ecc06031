/** Every page on a phone, in the dark, in Portuguese. The look of a desk is in accessibility.long.test.ts. */
import { testPages } from './axe-pages.ts';

testPages({ theme: 'dark', language: 'pt-BR', width: 390 });
