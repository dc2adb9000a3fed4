import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** What the server does wrong with one request. */
export type ModelFault =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'hang_before_headers' }
  | { readonly kind: 'hang_up_before_headers' }
  | { readonly kind: 'stall' }
  | { readonly kind: 'hang_up_in_mid_stream' }
  | { readonly kind: 'end_without_finish' }
  | { readonly kind: 'finish'; readonly reason: string }
  | { readonly kind: 'refusal' }
  | { readonly kind: 'error_in_stream' }
  | { readonly kind: 'garbage' }
  | { readonly kind: 'endless' }
  | { readonly kind: 'trickle' };

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly model?: string; readonly messages?: readonly { role: string; content: string }[]; readonly stream?: boolean };
  /** Settles when the request's connection is done with; says whether the client left before the answer was complete. */
  readonly left: Promise<boolean>;
}

export interface FakeModelServer {
  /** For the client's base URL. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** What the next requests meet, in turn; after them, and by default, a good answer. */
  script(...faults: readonly ModelFault[]): void;
  /** The words of the good answer, each its own chunk. */
  answerWith(...words: readonly string[]): void;
  close(): Promise<void>;
}

/** Speaks the streaming chat completions API, well or badly, on a free port. */
export async function startFakeModelServer(): Promise<FakeModelServer> {
  const requests: SeenRequest[] = [];
  const faults: ModelFault[] = [];
  let words: readonly string[] = ['- It was ', 'decided.'];
  const server = createServer((request, response) => {
    const left = new Promise<boolean>((resolve) => response.once('close', () => resolve(!response.writableFinished)));
    const respond = (body: SeenRequest['body']): void => {
      requests.push({ path: request.url ?? '', headers: request.headers, body, left });
      answer(response, words, faults.shift());
    };
    bodyOf(request).then(respond, () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`,
    requests,
    script: (...next) => void faults.push(...next),
    answerWith: (...next) => void (words = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<SeenRequest['body']> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function answer(response: ServerResponse, words: readonly string[], fault?: ModelFault): void {
  switch (fault?.kind) {
    case 'status':
      return void response.writeHead(fault.status, fault.headers).end('{"error": {"message": "secret words of the service"}}');
    case 'hang_before_headers':
      return;
    case 'hang_up_before_headers':
      return void response.destroy();
    default:
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      stream(response, words, fault);
  }
}

function stream(response: ServerResponse, words: readonly string[], fault?: ModelFault): void {
  const [first = '', ...rest] = words;
  say(response, { role: 'assistant', content: first });
  switch (fault?.kind) {
    case 'stall':
      return;
    case 'hang_up_in_mid_stream':
      return void setImmediate(() => response.destroy());
    case 'end_without_finish':
      return void response.end();
    case 'error_in_stream':
      return void response.end('data: {"error": {"message": "secret words of the service"}}\n\n');
    case 'garbage':
      return void response.end('data: {"choices": [\n\n');
    case 'endless':
      return goOn(response, 'and on '.repeat(1000));
    case 'trickle':
      return goOn(response, 'and ');
    case 'refusal':
      say(response, { refusal: 'I will not' });
      return finish(response, 'stop');
    default:
      for (const word of rest) say(response, { content: word });
      finish(response, fault?.kind === 'finish' ? fault.reason : 'stop');
  }
}

function goOn(response: ServerResponse, words: string): void {
  if (response.destroyed) return;
  say(response, { content: words });
  setTimeout(() => goOn(response, words), 2);
}

function say(response: ServerResponse, delta: object, finishReason: string | null = null): void {
  event(response, { choices: [{ index: 0, delta, finish_reason: finishReason }] });
}

function finish(response: ServerResponse, reason: string): void {
  say(response, {}, reason);
  event(response, { choices: [], usage: { prompt_tokens: 120, completion_tokens: 7, total_tokens: 127 } });
  response.end('data: [DONE]\n\n');
}

function event(response: ServerResponse, fields: object): void {
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_754_000_000, model: 'fake-1-2025', ...fields };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}
