import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { detoursOf } from './test-bodies.ts';

/** A pattern that has no place in some files, and what to do instead. */
interface Smell {
  readonly files: RegExp;
  readonly pattern: RegExp;
  readonly advice: string;
}

const CODE = /\.(?:ts|js)$/;
const PRODUCT = /^(?!test\/|bench\/).*\.(?:ts|js)$/;
const TESTS = /^test\/(?!support\/|explorer\/).*\.test\.ts$/;
const CONTRACT = /^workflows\/contract\//;

const SMELLS: readonly Smell[] = [
  { files: CODE, pattern: /\/\/\s*(?:step ?\d|\d+[.)] |[-=─*#]{4,})/i, advice: 'a comment says why; it is no ruler and numbers no steps' },
  { files: PRODUCT, pattern: /\b(?:class|interface|type|function|const) \w*(?:Manager|Service|Helper|Util|Handler|Processor|Base|Impl|Data|Info)\b/, advice: 'name it after what it is or does' },
  { files: CODE, pattern: /\bcatch(?: \(\w+\))? \{\s*\}/, advice: 'a swallowed error says why' },
  { files: CODE, pattern: /\b(?:canceling|summariz|recogniz)/, advice: 'British spelling: cancelling, summarise, recognise' },
  { files: CODE, pattern: /@ts-ignore|@ts-nocheck/, advice: 'make the types right' },
  { files: CONTRACT, pattern: /\bnew (?:Date|Map|Set)\b|\bDate\.now\b|^(?:export )?(?:abstract )?class /, advice: 'the contract is plain data and pure functions' },
  { files: /^workflows\//, pattern: /^(?:export )?(?:let|var) /, advice: 'no mutable state at module level in workflows' },
  { files: TESTS, pattern: /\bsetTimeout\(|\bsleep\(/, advice: 'waiting lives in test/support' },
  { files: TESTS, pattern: /toHaveBeenCalled|\bvi\.(?:mock|spyOn)\b/, advice: 'assert what outsiders see' },
];

/** Where the smells themselves are written down. */
const OWN_EXAMPLES = ['stack/check/smells.ts', 'test/smells.test.ts'];
const DUMPING_GROUND = /(?:^|\/)(?:utils?|helpers?|common|shared|misc|lib|types|constants)(?:\/|\.[jt]s$)/;

/** What smells in one file, a line each. */
export function smellsOf(file: string, text: string): string[] {
  const place = DUMPING_GROUND.test(file) ? [`${file}: name it after its contents`] : [];
  const inText = SMELLS.filter(({ files }) => files.test(file)).flatMap(({ pattern, advice }) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${advice}: ${line.trim()}`] : [])),
  );
  const detours = TESTS.test(file) ? detoursOf(file, text) : [];
  return [...place, ...inText, ...detours];
}

/** What smells in the code of some folders, beyond what the linter knows. */
export async function smells(root: string, folders: readonly string[]): Promise<string[]> {
  const listed = folders.map(async (folder) => (await readdir(join(root, folder), { recursive: true })).map((name) => `${folder}/${name}`));
  const files = (await Promise.all(listed)).flat().filter((name) => CODE.test(name) && !OWN_EXAMPLES.includes(name));
  const found = await Promise.all(files.map(async (file) => smellsOf(file, await readFile(join(root, file), 'utf8'))));
  return found.flat();
}
