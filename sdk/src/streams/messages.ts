/** One message of a stream of server-sent events. */
export type Message = { readonly id: string | null; readonly event: string; readonly data: string };

/** Of one message: the service sends no event of more than 64 KiB. */
const lettersMax = 4 * 1024 * 1024;

/**
 * The messages in a stream of server-sent events, as HTML's "parsing an event stream" reads them; null for a comment,
 * which shows that the stream is alive. What a broken-off stream leaves unfinished is no message.
 */
export async function* readMessages(chunks: AsyncIterable<string>): AsyncGenerator<Message | null> {
  let rest = '';
  let fields: { id: string | null; event: string; data: string[] } = { id: null, event: 'message', data: [] };
  for await (const chunk of chunks) {
    rest += chunk;
    // A lone CR at the end may be the first half of CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    if (rest.length > lettersMax) throw new RangeError(`a line of the stream has more than ${lettersMax} letters`);
    for (const line of lines) {
      if (line === '') {
        if (fields.data.length > 0) yield { ...fields, data: fields.data.join('\n') };
        fields = { ...fields, event: 'message', data: [] };
      } else if (line.startsWith(':')) yield null;
      else {
        const { name, value } = fieldOf(line);
        if (name === 'data') fields.data.push(value);
        else if (name === 'event') fields.event = value;
        else if (name === 'id' && !value.includes('\0')) fields.id = value;
      }
    }
  }
}

function fieldOf(line: string): { name: string; value: string } {
  const at = line.indexOf(':');
  if (at < 0) return { name: line, value: '' };
  return { name: line.slice(0, at), value: line.slice(at + 1).replace(/^ /, '') };
}
