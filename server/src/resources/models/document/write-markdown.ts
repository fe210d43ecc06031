import type { Block, ModelDocument } from './blocks.ts';

/** Writes a document as Markdown (GitHub's, for its tables). Names of customers cannot become marks of it. */
export function writeMarkdown({ title, about, sections }: ModelDocument): string {
  const parts = [
    `# ${escaped(title)}`,
    ...about.map(blockOf),
    ...sections.flatMap(({ heading, blocks }, at) => [`## ${at + 1}. ${escaped(heading)}`, ...blocks.map(blockOf)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function blockOf(block: Block): string {
  switch (block.kind) {
    case 'text':
      return escaped(block.text);
    case 'list':
      return block.items.map((item) => `- ${escaped(item)}`).join('\n');
    case 'facts':
      return block.facts.map(([name, value]) => `- **${escaped(name)}:** ${escaped(value)}`).join('\n');
    case 'table': {
      const { title, head, rows } = block;
      const lines = [rowOf(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(rowOf)].join('\n');
      return title === undefined ? lines : `**${escaped(title)}**\n\n${lines}`;
    }
  }
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map(escaped).join(' | ')} |`;
}

/** Characters that mean something within a line, and those at its beginning that make lists and headings. */
function escaped(said: string): string {
  return said
    .replace(/[\r\n]+/g, ' ')
    .replace(/[\\`*_{}[\]<>|~]/g, (sign) => (sign === '<' ? '&lt;' : sign === '>' ? '&gt;' : `\\${sign}`))
    .replace(/&(?!(?:lt|gt);)/g, '&amp;')
    .replace(/^(\s*)([#+-]|\d+[.)])(?=\s)/, '$1\\$2');
}
