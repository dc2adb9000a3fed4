import { setImmediate } from 'node:timers/promises';
import { pick } from './extractive/pick.ts';
import type { Picked } from './extractive/pick.ts';
import { statementsIn } from './extractive/statements.ts';
import { ModelError } from './model.ts';
import type { Model, SummaryRequest } from './model.ts';

/**
 * Summarises by quoting: the most central statements, each under its topic, decisions and tasks first of all.
 * It runs in this process, needs no network, and gives the same summary for the same text.
 */
export function createExtractiveModel(): Model {
  return {
    name: 'extractive',
    // It looks at the signal between any two lines, so it stops within milliseconds.
    interruptible: true,
    async summarise(request) {
      return { text: await quoted(request), model: 'extractive', inputTokens: null, outputTokens: null };
    },
  };
}

async function quoted({ task, text, signal }: SummaryRequest): Promise<string> {
  const pause = async () => {
    await setImmediate();
    signal.throwIfAborted();
  };
  signal.throwIfAborted();
  const statements = await statementsIn(text, pause);
  if (statements.length === 0) throw new ModelError('permanent', 'model_empty', 'the text states nothing that could be summarised');
  const picked = await pick(statements, mostOf(statements.length, task), pause);
  return picked.map(bullet).join('\n');
}

/** Three to seven, with the length of a document; of summaries, which are dense, soon as many. */
function mostOf(statements: number, task: SummaryRequest['task']): number {
  return Math.min(7, 3 + Math.round(statements / (task === 'document' ? 6 : 4)));
}

function bullet({ topic, texts }: Picked): string {
  const said = texts.map(sentence).join(' ');
  return topic === '' ? `- ${said}` : `- **${escaped(topic)}** — ${said}`;
}

function sentence(text: string): string {
  return `${escaped(text)}${/[\p{STerm}…]["'”’)]?$/u.test(text) ? '' : '.'}`;
}

/** Shown as it reads: what looks like markup is none, but code stays code. */
function escaped(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[\\`*[\]]|<(?=[\w/!?])|\b_|_\b/g, '\\$&')))
    .join('');
}
