import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { doorNames, presses, type DoorName } from './presses.ts';
import { moments, openScene, type Scene, type SceneOptions } from './scenes.ts';
import { closeStatus, endOf, runExists } from './waiting.ts';

interface Recording {
  readonly name: string;
  readonly at: keyof typeof moments;
  readonly scene?: SceneOptions;
  readonly door?: DoorName;
  /** Which run's history is kept; the report's own unless said otherwise. */
  readonly workflow?: (id: string) => string;
  readonly after?: (scene: Scene, id: string) => Promise<unknown>;
}

const root = join(import.meta.dirname, '../..');
const [http, plain] = doorNames;

const recordings: readonly Recording[] = [
  { name: 'finished', at: 'ended' },
  { name: 'failed', at: 'failed' },
  { name: 'cancelled-before-anything', at: 'queued', scene: { works: false }, door: http, after: ({ product }) => product.startWorker() },
  { name: 'cancelled-while-collecting', at: 'collecting', scene: { holdsSource: true }, door: http },
  { name: 'cancelled-while-summarising', at: 'summarising', door: http },
  { name: 'cancelled-by-plain-cancel', at: 'summarising', door: plain },
  { name: 'cancelled-while-saved', at: 'saved', door: http },
  { name: 'cancelled-while-sending', at: 'sendingFirstOfTwo', scene: { fault: { at: 'dot', delayMs: 900 } }, door: http },
  { name: 'cancelled-between-tries', at: 'betweenTries', scene: { fault: { at: 'RCPT', reply: '451 4.3.0 later' } }, door: http },
  { name: 'reconciled', at: 'ended', scene: { fault: { at: 'dot', then: 'close' } }, workflow: (id) => `reconcile-${id}` },
  {
    name: 'correction',
    at: 'ended',
    workflow: (id) => `correction-1-${id}`,
    after: ({ product }, id) => product.reports.correct(id, { request: 'once', by: null, message: 'The numbers were wrong.' }),
  },
];

/** Lives every ending through on the real servers, and writes the histories of their runs. */
export async function recordHistories(folder: string): Promise<readonly string[]> {
  for (const recording of recordings) await record(folder, recording);
  return recordings.map(({ name }) => name);
}

async function record(folder: string, { name, at, scene: options, door, workflow, after }: Recording): Promise<void> {
  const scene = await openScene(options ?? {});
  try {
    const id = await moments[at](scene);
    if (door !== undefined) await presses.once(scene.product, door, id);
    await Promise.all(scene.gates.splice(0).map((gate) => gate.open()));
    await after?.(scene, id);
    await endOf(scene.product, id);
    const workflowId = workflow?.(id) ?? id;
    await runExists(scene.product, workflowId);
    await closeStatus(scene.product, workflowId);
    await writeFile(join(folder, `${name}.json`), await historyOf(workflowId));
  } finally {
    await scene.close();
  }
}

/** As Temporal's own command line writes histories down. */
async function historyOf(workflowId: string): Promise<string> {
  const args = ['workflow', 'show', '--workflow-id', workflowId, '--address', inject('temporalAddress'), '--output', 'json'];
  const { stdout } = await promisify(execFile)(inject('temporalCliPath'), args, { maxBuffer: 10_000_000 });
  // Where the checkout stood when it was recorded is of no use to anybody.
  return stdout.replaceAll(root, '');
}
