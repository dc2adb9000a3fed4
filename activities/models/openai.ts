import OpenAI from 'openai';
import type { Model, Summary, SummaryRequest } from './model.ts';
import { add, emptyAnswer, summaryOf } from './openai/answer.ts';
import { modelError, tooLate } from './openai/errors.ts';
import { promptFor } from './openai/prompt.ts';

export interface OpenAiModelOptions {
  readonly model: string;
  /** Of anything that speaks the chat completions API; null for OpenAI itself. */
  readonly baseUrl: string | null;
  /** null for a server that asks for none. */
  readonly apiKey: string | null;
  /** For one whole call. */
  readonly deadlineMs: number;
}

/** A model behind the OpenAI-compatible chat completions API. Its answer is streamed, so that an abort ends the work there too. */
export function createOpenAiModel({ model, baseUrl, apiKey, deadlineMs }: OpenAiModelOptions): Model {
  const client = new OpenAI({
    // Whatever is left out here, the client would look for in the environment by itself.
    baseURL: baseUrl ?? 'https://api.openai.com/v1',
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    // Each call belongs to one operation: the workflow repeats it, as another.
    maxRetries: 0,
    timeout: deadlineMs,
  });
  return {
    name: `openai/${model}`,
    interruptible: true,
    async summarise(request) {
      request.signal.throwIfAborted();
      const deadline = AbortSignal.timeout(deadlineMs);
      try {
        return await call(client, model, request, AbortSignal.any([request.signal, deadline]));
      } catch (error) {
        // What the client throws after an abort varies, so it is the signals that are asked.
        request.signal.throwIfAborted();
        throw deadline.aborted ? tooLate(deadlineMs) : modelError(error);
      }
    },
  };
}

async function call(client: OpenAI, model: string, request: SummaryRequest, signal: AbortSignal): Promise<Summary> {
  const { reportId, operationId } = request;
  const stream = await client.chat.completions.create(
    { model, messages: promptFor(request), stream: true, stream_options: { include_usage: true } },
    { signal, headers: { 'X-Standdown-Report': reportId, 'X-Standdown-Operation': operationId } },
  );
  const answer = emptyAnswer();
  for await (const chunk of stream) add(answer, chunk);
  // The client ends the loop quietly both after an abort and when the server hangs up in the middle.
  signal.throwIfAborted();
  return summaryOf(answer, model);
}
