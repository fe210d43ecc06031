/** Every page at a desk, in the light, in English, and on a phone, in the dark, in Portuguese. */
import { testPages } from './axe-pages.ts';

testPages({ theme: 'light', language: 'en', width: 1440 });
testPages({ theme: 'dark', language: 'pt-BR', width: 390 });
