/** The browser of tests and pictures: the machine's Chromium, or that of the package; test support. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const installed = '/usr/bin/chromium';

/**
 * Nothing of a browser that asks other hosts: tests are of pages on this machine. Fonts are drawn alike on every
 * machine.
 */
const args = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--font-render-hinting=none'],
];

/** Launches Chromium; null, and a loud line, where there is none for this machine. */
export async function launchChromium(): Promise<Browser | null> {
  const executablePath = await findChromium();
  if (executablePath === null) {
    console.warn(
      '\nNO BROWSER: the tests of the dashboard are SKIPPED. Install Chromium (apt-get install chromium), or name one in CHROMIUM_PATH.\n',
    );
    return null;
  }
  return chromium.launch({ executablePath, args });
}

async function findChromium(): Promise<string | null> {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  if (existsSync(installed)) return installed;
  // The package has one for Linux on x86-64 alone.
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const { default: packaged } = await import('@sparticuz/chromium');
  return packaged.executablePath();
}
