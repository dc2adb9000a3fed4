import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exits } from '../client/cli/exits.ts';
import { run } from '../client/cli/program.ts';
import { settings } from '../config.ts';
import { usage } from '../stack/start-options.ts';
import { effectOf } from '../workflows/contract/status.ts';
import { headline } from '../workflows/contract/headline.ts';
import type { Report } from '../workflows/contract/state.ts';
import { phases } from '../workflows/contract/vocabulary.ts';
import { begin, broke, cancel, carryOut, claim, fail, mail, makeReport, outcome, register, returned, save, stopped, summarise, type Deed } from './support/deeds.ts';
import { bodyOf, openApi, type TestApi } from './support/test-api.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const readme = read('README.md');

/** Each match of a pattern's groups, without repeats. */
function named(pattern: RegExp, text = readme): string[][] {
  const found = [...text.matchAll(pattern)].map((match) => match.slice(1).map(String));
  return [...new Map(found.map((groups) => [groups.join(' '), groups])).values()];
}

const asItIsNow = 'README.md has to hold exactly these lines; put them in the place of what is there';

describe('the README holds, as the code has it,', () => {
  const arrows = Object.entries(phases).flatMap(([phase, next]) => (next.length === 0 ? ['[*]'] : next).map((to) => `    ${phase} --> ${to}`));
  const settingRows = settings.map((setting) => `| \`${setting.name}\` | ${setting.default} | ${setting.meaning}${setting.secret ? ' (kept hidden)' : ''} |`);
  const exitRows = Object.values(exits).map(({ status, means }) => `| ${status} | ${means} |`);

  test.each([
    { part: 'the picture of the phases', lines: ['```mermaid', 'stateDiagram-v2', '    direction LR', '    [*] --> queued', ...arrows, '```'] },
    { part: 'the table of settings', lines: ['| variable | default | meaning |', '|---|---|---|', ...settingRows, ''] },
    { part: 'the exit statuses of the command line', lines: ['| status | means |', '|---|---|', ...exitRows, ''] },
    { part: 'the options of the start command', lines: ['```text', usage, '```'] },
  ])('$part', ({ lines }) => {
    const expected = `\n${lines.join('\n')}\n`;
    expect(readme.includes(expected), `${asItIsNow}:\n${expected}`).toBe(true);
  });
});

describe('what the README says of a cancel', () => {
  const one = 'report-1';
  const collected = [begin('collect'), returned('collect', 1)];
  const askedModel = [register(1), ...collected, begin('summarise/1')];
  const nearSave = [register(1), ...summarise(1), begin('combine'), returned('combine')];
  const [accepted, refused, unknown] = [outcome(one, 'accepted'), outcome(one, 'refused'), outcome(one, 'unknown')];

  interface Moment {
    readonly before: readonly Deed[];
    readonly after?: readonly Deed[];
    /** Another life, in which what happens at the same time came first. */
    readonly otherwise?: readonly Deed[];
  }

  /** What has happened at each moment of the README's table before the cancel, and what happens after it. */
  const moments: Readonly<Record<string, Moment>> = {
    'while the report is queued and no worker is alive': { before: [register(1)] },
    'during the collection': { before: [register(1), begin('collect')], after: [stopped('collect')] },
    'during a model call that can be interrupted': { before: askedModel, after: [stopped('summarise/1')] },
    'during a model call that cannot be interrupted': { before: askedModel, after: [returned('summarise/1')] },
    'together with the save': { before: nearSave, otherwise: [...nearSave, save] },
    'while the save is being committed': { before: makeReport(1) },
    'between save and send': { before: makeReport(1) },
    'while the only send is in flight': { before: [...makeReport(1), claim(one)], after: [accepted] },
    'while the first of two sends is in flight': { before: [...makeReport(2), claim(one)], after: [accepted] },
    'while a send is in flight that will time out': { before: [...makeReport(2), claim(one)], after: [unknown] },
    'between two tries of a send': { before: [...makeReport(1), claim(one), refused] },
    'after an email request timed out': { before: [...makeReport(1), claim(one), unknown] },
    'after the report has finished': { before: [...makeReport(1), ...mail(1)] },
    'after the report was cancelled': { before: [register(1), begin('collect'), cancel('page', 'first'), stopped('collect')] },
    'after the report has failed': { before: [...askedModel, broke('summarise/1', 'model_refused'), fail('model_refused')] },
  };

  const reportOf = (...deeds: readonly Deed[]): Report | null => carryOut(deeds).state?.report ?? null;
  const saidOf = (report: Report | null): string => (report === null ? 'nothing' : headline(report));

  function saidAt({ before, after = [], otherwise }: Moment): string[] {
    const stages = [reportOf(...before, cancel()), reportOf(...before, cancel(), ...after), ...(otherwise === undefined ? [] : [reportOf(...otherwise, cancel())])];
    return [...new Set(stages.map(saidOf))];
  }

  function effectAt({ before, after = [] }: Moment): string {
    return effectOf(reportOf(...before, cancel(), ...after)?.phase ?? 'queued').replace('_', ' ');
  }

  const rows = named(/^\| ((?:while|during|together|between|after) [^|]+) \| ([^|]+) \| ([^|]+) \|$/gm);

  test('is said of exactly the moments that are tested', () => {
    const tested = named(/\bwhen: '([^']+)'/g, read('test/cancellation-table.test.ts')).flat();
    expect(rows.map(([moment]) => moment)).toEqual(['while the report is queued and no worker is alive', ...tested]);
    expect(Object.keys(moments)).toEqual(rows.map(([moment]) => moment));
  });

  test.each(Object.entries(moments))('%s is what the contract says then', (moment, life) => {
    const [, comesTo = '', said = ''] = rows.find(([name]) => name === moment) ?? [];
    expect(named(/`([^`]+)`/g, said).flat()).toEqual(saidAt(life));
    expect(comesTo).toMatch(new RegExp(`^(${effectAt(life)}|the first receipt)\\b`));
  });
});

describe('what the README names is there:', () => {
  let api: TestApi;
  beforeAll(async () => {
    // Nobody is asked anything that needs the database.
    api = await openApi({ databaseUrl: 'postgres://nowhere.test/none' });
  });
  afterAll(() => api.close());

  test('every call of the API, and no call is left out', async () => {
    const { paths } = await bodyOf<{ readonly paths: object }>(await api.get('/openapi.json'));
    const whole = named(/(?<![\w}])(\/(?:api\/[\w/{}.-]*\w\}?|healthz|readyz|r\/\{token\}))/g).flat();
    const ofOne = named(/\$report(\/\w+)/g).flat().map((path) => `/api/reports/{id}${path}`);
    const called = [...whole, ...ofOne].map((path) => path.replace(/^(\/api\/reports\/)[^/]+/, '$1{id}'));
    expect([...new Set(called)].toSorted()).toEqual(Object.keys(paths).toSorted());
  });

  test.each(named(/\bnpm (?:run ([a-z]+)|(start|test))\b/g).map((names) => names.filter((name) => name !== 'undefined')))('npm %s', (name) => {
    const manifest: { readonly scripts: object } = JSON.parse(read('package.json'));
    expect(Object.keys(manifest.scripts)).toContain(name);
  });

  test.each(named(/\bstanddown ([a-z]+)([^\n`]*)/g))('standdown %s%s', async (command, rest) => {
    const written: string[] = [];
    const stream = { write: (text: string) => written.push(text) };
    const unused = (): never => {
      throw new Error('help needs nothing from outside');
    };
    await run([command, '--help'], { stdout: stream, stderr: stream, openFace: unused, readSettings: unused, interrupted: unused, explain: unused });
    const help = written.join('');
    expect(help).toContain(`Usage: standdown ${command} `);
    expect(named(/ (--[a-z-]+)/g, rest).flat().filter((option) => !help.includes(option))).toEqual([]);
  });

  test.each([...named(/\]\(([^)#:]+)\)/g).flat(), ...named(/\bnode (\S+\.js) (\S+\.ts)/g).flat()])('%s', (file) => {
    expect(existsSync(join(root, file))).toBe(true);
  });
});
