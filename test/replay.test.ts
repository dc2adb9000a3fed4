import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';
import { environment } from '../config.ts';
import { workflowBundle } from '../workers/workflow-bundle.ts';
import { recordHistories } from './support/recording.ts';

const folder = join(import.meta.dirname, 'histories');
const recorded = readdirSync(folder).filter((name) => name.endsWith('.json'));

/** `RECORD_HISTORIES=yes npm test test/replay.test.ts` records the endings anew, after a change that old runs cannot meet. */
describe.runIf(environment()['RECORD_HISTORIES'] !== undefined)('recording', () => {
  test('writes a history of every ending', { timeout: 240_000 }, async () => {
    expect((await recordHistories(folder)).length).toBeGreaterThan(8);
  });
});

describe('a recorded history', () => {
  test.each(recorded)('%s replays on today’s workflows', { timeout: 60_000 }, async (name) => {
    const history = historyFromJSON(JSON.parse(await readFile(join(folder, name), 'utf8')));
    await expect(Worker.runReplayHistory({ workflowBundle: { codePath: await workflowBundle() } }, history, name)).resolves.toBeUndefined();
  });

  test('is there of every way in which a run closes', () => {
    expect(recorded.toSorted()).toEqual([
      'cancelled-before-anything.json',
      'cancelled-between-tries.json',
      'cancelled-by-plain-cancel.json',
      'cancelled-while-collecting.json',
      'cancelled-while-saved.json',
      'cancelled-while-sending.json',
      'cancelled-while-summarising.json',
      'correction.json',
      'failed.json',
      'finished.json',
      'reconciled.json',
    ]);
  });
});
