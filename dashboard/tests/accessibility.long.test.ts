/** Every page at a desk, in the light, in English. */
import { testPages } from './axe-pages.ts';

testPages({ theme: 'light', language: 'en', width: 1440 });
