export interface ServerSentEvent {
  readonly name: string;
  readonly data: string;
}

/** The events of a text/event-stream body; comments only keep the connection alive, so they are yielded as `null`. */
export async function* serverSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent | null> {
  let fields: readonly string[] = [];
  for await (const line of linesOf(body)) {
    if (line.startsWith(':')) yield null;
    else if (line !== '') fields = [...fields, line];
    else {
      if (fields.length > 0) yield eventOf(fields);
      fields = [];
    }
  }
}

function eventOf(fields: readonly string[]): ServerSentEvent {
  const valuesOf = (name: string): string[] => fields.filter((field) => field.startsWith(`${name}:`)).map((field) => field.slice(name.length + 1).replace(/^ /, ''));
  return { name: valuesOf('event').at(-1) ?? 'message', data: valuesOf('data').join('\n') };
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
