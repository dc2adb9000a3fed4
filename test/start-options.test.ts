import { expect, test } from 'vitest';
import { startOptions } from '../stack/start-options.ts';

const nothing = { once: false, report: 'unless-any', documents: null, month: null, recipients: ['team@standdown.localhost'] };

test.for([
  { args: [], options: {} },
  { args: ['--no-report'], options: { report: 'none' } },
  { args: ['--once'], options: { once: true, report: 'always' } },
  { args: ['--month', '2025-07'], options: { month: '2025-07', report: 'always' } },
  { args: ['--to', 'a@example.com', '--to', 'b@example.com'], options: { recipients: ['a@example.com', 'b@example.com'], report: 'always' } },
  { args: ['--documents', 'minutes', '--month', '2025-07'], options: { documents: 'minutes', month: '2025-07', report: 'always' } },
  { args: ['--documents', 'minutes', '--no-report'], options: { documents: 'minutes', report: 'none' } },
])('npm start -- $args', ({ args, options }) => {
  expect(startOptions(args)).toEqual({ kind: 'start', options: { ...nothing, ...options } });
});

test.for([
  { args: ['--once', '--no-report'], problem: 'contradict each other' },
  { args: ['--month', '2025-7'], problem: '--month is 2025-7; a month looks like 2026-10' },
  { args: ['--month', '2025-13'], problem: '--month is 2025-13' },
  { args: ['--documents', 'minutes'], problem: '--documents needs --month' },
  { args: ['--month'], problem: 'argument missing' },
  { args: ['--force'], problem: "Unknown option '--force'" },
  { args: ['report'], problem: "Unexpected argument 'report'" },
])('npm start -- $args is wrong usage: $problem', ({ args, problem }) => {
  expect(startOptions(args)).toEqual({ kind: 'wrong', problem: expect.stringContaining(problem) });
});

test('npm start -- --help explains', () => {
  expect(startOptions(['--once', '--help'])).toEqual({ kind: 'help' });
});
