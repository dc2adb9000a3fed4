import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { ModelError } from '../model.ts';
import type { Summary } from '../model.ts';

/** Far beyond any summary: a stream that goes on after it is broken. */
const LONGEST_ANSWER = 100_000;

export interface Answer {
  text: string;
  model: string | null;
  finish: ChatCompletionChunk.Choice['finish_reason'];
  inputTokens: number | null;
  outputTokens: number | null;
}

export function emptyAnswer(): Answer {
  return { text: '', model: null, finish: null, inputTokens: null, outputTokens: null };
}

export function add(answer: Answer, { model, choices, usage }: ChatCompletionChunk): void {
  answer.model ??= model;
  for (const choice of choices) addChoice(answer, choice);
  if (usage) {
    answer.inputTokens = usage.prompt_tokens;
    answer.outputTokens = usage.completion_tokens;
  }
}

function addChoice(answer: Answer, { delta, finish_reason }: ChatCompletionChunk.Choice): void {
  if (delta.refusal) throw new ModelError('permanent', 'model_refused', 'the model refused to summarise the text');
  answer.text += delta.content ?? '';
  if (answer.text.length > LONGEST_ANSWER) throw new ModelError('permanent', 'model_incomplete', 'the model does not stop answering');
  answer.finish ??= finish_reason;
}

/** The answer as a summary; only where the model itself said that it was finished. */
export function summaryOf(answer: Answer, configuredModel: string): Summary {
  switch (answer.finish) {
    case 'stop':
      return told(answer, configuredModel);
    case 'length':
      throw new ModelError('permanent', 'model_incomplete', 'the answer of the model was cut at its length limit');
    case null:
      throw new ModelError('transient', 'model_incomplete', 'the answer of the model broke off');
    default:
      throw new ModelError('permanent', 'model_refused', 'the model did not finish its answer');
  }
}

function told({ text, model, inputTokens, outputTokens }: Answer, configuredModel: string): Summary {
  // NUL is no text, and databases refuse it.
  const said = text.replaceAll('\0', '').trim();
  if (said === '') throw new ModelError('transient', 'model_empty', 'the model answered nothing');
  return { text: said, model: model ?? configuredModel, inputTokens, outputTokens };
}
