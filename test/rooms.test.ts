import { beforeAll, expect, test } from 'vitest';
import rooms from '../.dependency-cruiser.cjs';
import { brokenRules } from './support/planted-tree.ts';

const targets = [
  'workflows/contract/decide.ts',
  'workflows/report.ts',
  'activities/collect.ts',
  'activities/sources/source.ts',
  'activities/sources/folder.ts',
  'activities/mail/mail.ts',
  'activities/mail/smtp.ts',
  'activities/mail/maildev.ts',
  'store/store.ts',
  'workers/main.ts',
  'client/reports.ts',
  'client/http/app.ts',
  'client/cli/main.ts',
  'stack/postgres.ts',
  'test/support/database.ts',
  'config.ts',
];

const forbidden = [
  { rule: 'the-contract-imports-only-itself', file: 'workflows/contract/zod.ts', imports: 'zod' },
  { rule: 'the-contract-imports-only-itself', file: 'workflows/contract/path.ts', imports: 'node:path' },
  { rule: 'the-contract-imports-only-itself', file: 'workflows/contract/up.ts', imports: '../report.ts' },
  { rule: 'workflows-decide-and-never-act', file: 'workflows/acts.ts', imports: '../activities/collect.ts' },
  { rule: 'workflows-decide-and-never-act', file: 'workflows/files.ts', imports: 'node:fs' },
  { rule: 'workflows-decide-and-never-act', file: 'workflows/stores.ts', imports: '../store/store.ts' },
  { rule: 'activities-do-not-meet', file: 'activities/save.ts', imports: './collect.ts' },
  { rule: 'activities-act-through-ports', file: 'activities/send.ts', imports: './mail/smtp.ts' },
  { rule: 'activities-reach-only-what-they-are-given', file: 'activities/reads.ts', imports: '../config.ts' },
  { rule: 'activities-reach-only-what-they-are-given', file: 'activities/decides.ts', imports: '../workflows/report.ts' },
  { rule: 'adapters-do-not-meet', file: 'activities/mail/mailpit.ts', imports: './maildev.ts' },
  { rule: 'adapters-know-their-driver-and-no-temporal', file: 'activities/models/openai.ts', imports: '@temporalio/activity' },
  { rule: 'adapters-know-their-driver-and-no-temporal', file: 'activities/sources/url.ts', imports: '../../store/store.ts' },
  { rule: 'the-store-knows-only-the-contract-and-its-driver', file: 'store/temporal.ts', imports: '@temporalio/client' },
  { rule: 'the-store-knows-only-the-contract-and-its-driver', file: 'store/web.ts', imports: 'node:http' },
  { rule: 'the-store-knows-only-the-contract-and-its-driver', file: 'store/asks.ts', imports: '../client/reports.ts' },
  { rule: 'clients-ask-and-never-work', file: 'client/works.ts', imports: '../activities/collect.ts' },
  { rule: 'skins-ask-through-reports', file: 'client/http/rows.ts', imports: '../../store/store.ts' },
  { rule: 'skins-ask-through-reports', file: 'client/cli/temporal.ts', imports: '@temporalio/client' },
  { rule: 'siblings-do-not-meet', file: 'client/cli/sibling.ts', imports: '../http/app.ts' },
  { rule: 'skins-are-imported-by-nobody', file: 'client/down.ts', imports: './http/app.ts' },
  { rule: 'workers-are-imported-by-nobody-but-a-main', file: 'client/http/worker.ts', imports: '../../workers/main.ts' },
  { rule: 'the-stack-is-imported-by-nobody', file: 'workers/stack.ts', imports: '../stack/postgres.ts' },
  { rule: 'the-stack-starts-the-others-and-imports-none', file: 'stack/imports.ts', imports: '../store/store.ts' },
  { rule: 'only-main-reads-the-settings', file: 'workers/reads.ts', imports: '../config.ts' },
  { rule: 'the-settings-know-only-their-parser', file: 'config.ts', imports: 'node:fs' },
  { rule: 'one-home-per-driver-pg', file: 'workers/sql.ts', imports: 'pg' },
  { rule: 'one-home-per-driver-nodemailer', file: 'workers/mails.ts', imports: 'nodemailer' },
  { rule: 'one-home-per-driver-openai', file: 'workers/asks.ts', imports: 'openai' },
  { rule: 'one-home-per-driver-wink', file: 'workers/words.ts', imports: 'wink-nlp' },
  { rule: 'one-home-per-driver-hono', file: 'client/cli/serves.ts', imports: 'hono' },
  { rule: 'one-home-per-driver-commander', file: 'client/http/commands.ts', imports: 'commander' },
  { rule: 'one-home-per-driver-modelcontextprotocol', file: 'client/cli/mcp.ts', imports: '@modelcontextprotocol/sdk/client/index.js' },
  { rule: 'one-home-per-driver-embedded-servers', file: 'workers/mailbox.ts', imports: 'maildev' },
  { rule: 'one-home-per-driver-temporalio-activity', file: 'client/activity.ts', imports: '@temporalio/activity' },
  { rule: 'one-home-per-driver-temporalio-worker', file: 'activities/worker.ts', imports: '@temporalio/worker' },
  { rule: 'one-home-per-driver-temporalio-workflow', file: 'workers/workflow.ts', imports: '@temporalio/workflow' },
  { rule: 'one-home-per-driver-temporalio-client', file: 'activities/client.ts', imports: '@temporalio/client' },
  { rule: 'the-product-does-not-lean-on-its-tests', file: 'store/test.ts', imports: '../test/support/database.ts' },
  { rule: 'the-product-runs-without-development-tools', file: 'workers/tool.ts', imports: 'typescript' },
  { rule: 'every-import-is-there-and-declared', file: 'workers/borrowed.ts', imports: '@grpc/grpc-js' },
  { rule: 'every-import-leads-somewhere', file: 'workers/lost.ts', imports: './nowhere.ts' },
  { rule: 'no-import-leads-back', file: 'store/itself.ts', imports: './itself.ts' },
];

const allowed = [
  { file: 'workflows/run.ts', text: "import { thing } from './contract/decide.ts';\nimport { sleep } from '@temporalio/workflow';\nimport type { Thing } from '../activities/collect.ts';\n" },
  { file: 'activities/summarise.ts', text: "import { thing } from './sources/source.ts';\nimport { heartbeat } from '@temporalio/activity';\nimport { thing as store } from '../store/store.ts';\n" },
  { file: 'activities/mail/message.ts', text: "import nodemailer from 'nodemailer';\n" },
  { file: 'store/database.ts', text: "import pg from 'pg';\nimport { thing } from '../workflows/contract/decide.ts';\nimport { createHash } from 'node:crypto';\n" },
  { file: 'client/http/main.ts', text: "import { thing } from '../../config.ts';\nimport { thing as store } from '../../store/store.ts';\nimport { thing as reports } from '../reports.ts';\n" },
  { file: 'workers/wires.ts', text: "import { Worker } from '@temporalio/worker';\nimport { Client } from '@temporalio/client';\nimport { thing } from '../activities/mail/smtp.ts';\n" },
  { file: 'stack/main.ts', text: "import { thing } from '../config.ts';\nimport { MailDev } from 'maildev';\nimport type { Thing } from '../workflows/contract/decide.ts';\n" },
  { file: 'test/any.test.ts', text: "import pg from 'pg';\nimport { thing } from '../stack/postgres.ts';\n" },
];

let broken: string[];

beforeAll(async () => {
  const plants = forbidden.map(({ file, imports }) => ({ file, text: `import '${imports}';\n` }));
  broken = await brokenRules(targets, [...plants, ...allowed]);
});

test.for(forbidden)('$file must not import $imports: $rule', ({ rule, file }) => {
  expect(broken).toContain(`${rule}: ${file}`);
});

test('every rule has an import here that it forbids', () => {
  const rules = rooms.forbidden.map(({ name }) => name);
  expect(forbidden.map(({ rule }) => rule)).toEqual(expect.arrayContaining(rules));
});

test.for(allowed)('$file may import what its room allows', ({ file }) => {
  expect(broken.filter((found) => found.endsWith(` ${file}`))).toEqual([]);
});
