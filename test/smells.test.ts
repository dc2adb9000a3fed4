import { expect, test } from 'vitest';
import { smellsOf } from '../stack/check/smells.ts';

test.for([
  { file: 'store/a.ts', text: '// ---- the ledger', smells: 'a comment says why' },
  { file: 'store/a.ts', text: '  // Step 2: save', smells: 'a comment says why' },
  { file: 'client/a.ts', text: 'export class ReportManager {}', smells: 'name it after what it is or does' },
  { file: 'store/helpers.ts', text: '', smells: 'name it after its contents' },
  { file: 'client/common/words.ts', text: '', smells: 'name it after its contents' },
  { file: 'store/a.ts', text: 'try { go(); } catch {}', smells: 'a swallowed error says why' },
  { file: 'workflows/contract/a.ts', text: 'const now = Date.now();', smells: 'the contract is plain data' },
  { file: 'workflows/contract/a.ts', text: 'export class Fence {}', smells: 'the contract is plain data' },
  { file: 'workflows/report.ts', text: 'let phase = 1;', smells: 'no mutable state at module level' },
  { file: 'test/a.test.ts', text: "test('waits', async () => {\n  await sleep(5);\n});", smells: 'waiting lives in test/support' },
  { file: 'test/a.test.ts', text: "test('loops', () => {\n  for (const row of rows) expect(row);\n});", smells: 'no if, loop or try in a test body' },
  { file: 'test/a.test.ts', text: "test.for(rows)('branches', (row) => {\n  if (row) expect(row);\n});", smells: 'no if, loop or try in a test body' },
  { file: 'test/a.test.ts', text: 'expect(send).toHaveBeenCalledOnce();', smells: 'assert what outsiders see' },
  { file: 'activities/a.ts', text: 'const a = summarize();', smells: 'British spelling' },
])('$text in $file smells: $smells', ({ file, text, smells }) => {
  expect(smellsOf(file, text)).toEqual([expect.stringContaining(smells)]);
});

test.for([
  { file: 'store/a.ts', text: '// The lock comes first: see rule 1.' },
  { file: 'workflows/report.ts', text: 'function run() {\n  let phase = 1;\n}' },
  { file: 'test/a.test.ts', text: 'const rows = () => {\n  for (const row of all) use(row);\n};\ntest("rows", () => expect(rows()));' },
  { file: 'test/support/a.ts', text: 'await sleep(5);' },
])('$text in $file does not smell', ({ file, text }) => {
  expect(smellsOf(file, text)).toEqual([]);
});
