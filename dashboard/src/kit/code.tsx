import { Code2 } from 'lucide-react';
import { useState } from 'react';
import { common } from '../words/common.ts';
import { useWords, words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Segmented } from './field.tsx';
import { say } from './toast.tsx';

/** A request as somebody would send it: the method, the path with its query, and the body. */
export type ShownRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** The same in the TypeScript client: an expression over `lastro`. */
  readonly typescript?: string;
};

const text = words(
  {
    title: 'The same by code',
    key: 'LASTRO_API_KEY holds an API key of this workspace; make one under API keys.',
    language: 'Language',
  },
  {
    title: 'O mesmo por código',
    key: 'LASTRO_API_KEY guarda uma chave de API deste workspace; crie uma em Chaves de API.',
    language: 'Linguagem',
  },
);

const languages = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
] as const;

/** A button that shows the request behind what the page shows, in three languages. */
export function CodeButton({ request }: { readonly request: ShownRequest }) {
  const w = useWords(common);
  const t = useWords(text);
  const [isOpen, setOpen] = useState(false);
  const [language, setLanguage] = useState<(typeof languages)[number]['value']>('curl');
  const code = writers[language](request, location.origin);
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    say(w.copied);
  };
  return (
    <>
      <Button icon={<Code2 size={14} />} onClick={() => setOpen(true)}>
        {w.code}
      </Button>
      <Dialog title={t.title} description={t.key} isOpen={isOpen} onClose={() => setOpen(false)} width="max-w-2xl">
        <div className="mb-2 flex items-center justify-between">
          <Segmented label={t.language} options={languages} value={language} onValue={setLanguage} />
          <Button onClick={copy}>{w.copy}</Button>
        </div>
        <CodeBlock code={code} />
      </Dialog>
    </>
  );
}

export function CodeBlock({ code, label }: { readonly code: string; readonly label?: string }) {
  const w = useWords(common);
  return (
    <pre
      tabIndex={0}
      role="region"
      aria-label={label ?? w.code}
      className="max-h-[50vh] overflow-auto rounded-[6px] bg-sunken p-3 font-mono text-ink text-meta leading-[18px]"
    >
      {code}
    </pre>
  );
}

const quote = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;

const writers: Readonly<
  Record<(typeof languages)[number]['value'], (request: ShownRequest, origin: string) => string>
> = {
  curl({ method, path, body }, origin) {
    const lines = [
      `curl -s ${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `}${quote(origin + path)}`,
      '-H "Authorization: Bearer $LASTRO_API_KEY"',
    ];
    if (body !== undefined)
      lines.push('-H "Content-Type: application/json"', `-d ${quote(JSON.stringify(body, null, 2))}`);
    return lines.join(' \\\n  ');
  },
  typescript({ method, path, body, typescript }, origin) {
    if (typescript)
      return `import { Lastro } from '@lastro/sdk';\n\nconst lastro = new Lastro({ baseUrl: '${origin}' }); // the key: LASTRO_API_KEY\nconst answer = await ${typescript};\nconsole.log(answer);`;
    const options = [
      method === 'GET' ? null : `method: '${method}'`,
      `headers: { authorization: \`Bearer \${process.env.LASTRO_API_KEY}\`${body === undefined ? '' : ", 'content-type': 'application/json'"} }`,
      body === undefined ? null : `body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')})`,
    ].filter((line) => line !== null);
    return `const response = await fetch('${origin}${path}', {\n  ${options.join(',\n  ')},\n});\nconsole.log(await response.json());`;
  },
  python({ method, path, body }, origin) {
    return [
      'import json, os, urllib.request',
      '',
      'request = urllib.request.Request(',
      `    ${JSON.stringify(origin + path)},`,
      ...(method === 'GET' ? [] : [`    method="${method}",`]),
      `    headers={"Authorization": f"Bearer {os.environ['LASTRO_API_KEY']}"${body === undefined ? '' : ', "Content-Type": "application/json"'}},`,
      ...(body === undefined ? [] : [`    data=json.dumps(${pythonOf(body)}).encode(),`]),
      ')',
      'print(json.load(urllib.request.urlopen(request)))',
    ].join('\n');
  },
};

/** JSON as Python writes it. */
function pythonOf(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([name, one]) => `${JSON.stringify(name)}: ${pythonOf(one)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
}
