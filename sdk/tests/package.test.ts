/** The package as it is installed: compiled for what people have, and what its types refuse. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compile, findNode, type Installed, install } from './installed.ts';
import { type LocalServer, openLocalServer, sendJson } from './local-server.ts';

let installed: Installed;
let server: LocalServer;
beforeAll(async () => {
  installed = await install();
  server = await openLocalServer(({ method, url }, answer) => {
    if (method === 'PUT') return sendJson(answer, 200, {});
    if (url === '/v2/api/files/upload') {
      const file = { id: 'file_1', upload_url: `${server.url}/put`, headers: { 'Content-Type': 'text/csv' } };
      return sendJson(answer, 201, { files: [file] });
    }
    sendJson(answer, 200, { data: [{ id: 'mdl_1' }], has_more: false, next_cursor: null });
  });
});
afterAll(async () => {
  installed.remove();
  await server.close();
});

test('its types refuse what the API does not know, in TypeScript 5 and in a browser', async () => {
  installed.write('refused.ts', readFileSync(join(import.meta.dirname, 'refused.ts'), 'utf8'));
  const { code, out } = await compile(installed, ['refused.ts']);
  expect(code, out).toBe(0);
});

test('it runs on the node that is there', async () => {
  const node = findNode();
  const { out: version } = await installed.run(node, ['--version']);
  if (!version.startsWith('v20.')) console.warn(`NOT TESTED: Node 20, since node is ${version.trim()}`);
  installed.write('data.csv', 'a\n1\n');
  installed.write(
    'program.js',
    `import { Lastro, LastroError } from '@lastro/sdk';
     import { localFile } from '@lastro/sdk/node';
     const client = new Lastro();
     for await (const { id } of client.models.list()) console.log(id);
     console.log(await client.files.send([localFile('data.csv')]));
     console.log(client instanceof Lastro, new LastroError({ detail: 'text' }).message);`,
  );
  const env = { LASTRO_API_KEY: 'lst_key', LASTRO_BASE_URL: server.url };
  const { code, out } = await installed.run(node, ['program.js'], env);
  expect(out).toBe("mdl_1\n[ 'file_1' ]\ntrue text\n");
  expect(code).toBe(0);
  expect(server.asked.every(({ headers, url }) => url === '/put' || headers.authorization === 'Bearer lst_key')).toBe(
    true,
  );
  expect(server.asked.find(({ url }) => url === '/put')).toMatchObject({
    body: 'a\n1\n',
    headers: { 'content-length': '4' },
  });
});

test('what it ships imports nothing that a browser has not, but in the entry for Node', () => {
  const shipped = join(installed.folder, 'node_modules', '@lastro', 'sdk', 'dist');
  const files = readdirSync(shipped, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(js|d\.ts)$/.test(path),
  );
  expect(files).toContain('main.js');
  for (const path of files) {
    const imported = [
      ...readFileSync(join(shipped, path), 'utf8').matchAll(/(?:from |import\(|^import )['"]([^'"]+)/gm),
    ];
    for (const [, specifier] of imported)
      expect(specifier, path).toMatch(/^node\.(js|d\.ts)$/.test(path) ? /^(node:|\.\.?\/.*\.js$)/ : /^\.\.?\/.*\.js$/);
  }
});
