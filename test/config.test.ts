import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addressesFile, readConfig, required, settings, withAddresses, WrongSettings } from '../config.ts';

const root = join(import.meta.dirname, '..');
const secret = 'a secret of enough characters';

function problems(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return error instanceof WrongSettings ? error.problems : [String(error)];
  }
}

test('without any variable everything is embedded and has its documented default', () => {
  expect(readConfig({})).toMatchObject({
    http: { host: '127.0.0.1', port: 3000, publicUrl: 'http://127.0.0.1:3000' },
    data: join(root, '.standdown'),
    secret: null,
    database: { url: null, poolSize: 10 },
    temporal: { isGiven: false, taskQueue: 'standdown' },
    embedded: { postgresPort: null, temporalPort: null, temporalUiPort: null, smtpPort: null, inboxPort: null },
    documentsRoot: join(root, 'samples'),
    model: { kind: 'extractive' },
    mail: { provider: 'smtp', smtpUrl: null, from: 'reports@standdown.localhost', lookup: null },
    limits: { collectMs: 600_000, modelCallMs: 300_000, sendMs: 120_000, shutdownGraceMs: 125_000, activityAttempts: 5, retryForMs: 86_400_000 },
  });
});

test.for([
  { env: { PORT: '0' }, expected: { http: { port: 0 } } },
  { env: { PORT: '' }, expected: { http: { port: 3000 } } },
  { env: { HOST: '0.0.0.0', PORT: '80' }, expected: { http: { publicUrl: 'http://localhost:80' } } },
  { env: { HOST: '::1' }, expected: { http: { publicUrl: 'http://[::1]:3000' } } },
  { env: { PUBLIC_URL: 'https://reports.example.com/' }, expected: { http: { publicUrl: 'https://reports.example.com' } } },
  { env: { DATABASE_URL: 'postgres://u:p@db:5432/x', STANDDOWN_SECRET: secret }, expected: { database: { url: 'postgres://u:p@db:5432/x' }, secret } },
  { env: { TEMPORAL_ADDRESS: 'temporal.example.com:7233' }, expected: { temporal: { isGiven: true, connect: { disableFile: true } } } },
  { env: { TEMPORAL_PROFILE: 'prod' }, expected: { temporal: { isGiven: true, connect: { disableFile: false } } } },
  { env: { MODEL: 'openai/meta/llama-3', OPENAI_API_KEY: 'k' }, expected: { model: { kind: 'openai', model: 'meta/llama-3', baseUrl: null, apiKey: 'k' } } },
  { env: { MAIL_LOOKUP: 'maildev:http://127.0.0.1:1080/' }, expected: { mail: { lookup: { kind: 'maildev', url: 'http://127.0.0.1:1080' } } } },
  { env: { MAIL_LOOKUP: 'none' }, expected: { mail: { lookup: null } } },
  { env: { SEND_LIMIT_MS: '3000', DEADLINE_MARGIN_MS: '500' }, expected: { limits: { sendMs: 3000, shutdownGraceMs: 3500 } } },
])('$env is read', ({ env, expected }) => {
  expect(readConfig(env)).toMatchObject(expected);
});

test.for([
  { env: { PORT: '65536' }, problem: 'PORT has to be a port number from 0 to 65535' },
  { env: { SMTP_PORT: 'mail' }, problem: 'SMTP_PORT has to be a port number from 0 to 65535' },
  { env: { DATABASE_URL: 'mysql://db', STANDDOWN_SECRET: secret }, problem: 'DATABASE_URL has to be a postgres:// address' },
  { env: { DATABASE_URL: 'postgres://db' }, problem: 'STANDDOWN_SECRET is required where DATABASE_URL is set: at least 16 characters, the same for every process' },
  { env: { STANDDOWN_SECRET: 'short' }, problem: 'STANDDOWN_SECRET has to be text of at least 16 characters' },
  { env: { SMTP_URL: 'http://mail' }, problem: 'SMTP_URL has to be an smtp:// or smtps:// address' },
  { env: { TEMPORAL_ADDRESS: 'temporal' }, problem: 'TEMPORAL_ADDRESS has to be host:port' },
  { env: { MODEL: 'gpt' }, problem: 'MODEL has to be extractive or openai/<model>' },
  { env: { MAIL_PROVIDER: 'pigeon' }, problem: 'MAIL_PROVIDER has to be smtp' },
  { env: { MAIL_LOOKUP: 'mailhog:http://x' }, problem: 'MAIL_LOOKUP has to be maildev:<url>, mailpit:<url> or none' },
  { env: { MAIL_FROM: 'Reports <r@example.com>' }, problem: 'MAIL_FROM has to be one plain email address' },
  { env: { COLLECT_LIMIT_MS: '10s' }, problem: 'COLLECT_LIMIT_MS has to be a whole number of milliseconds from 1 to 2147483647' },
  { env: { MODEL_CALL_LIMIT_MS: '9999999999' }, problem: 'MODEL_CALL_LIMIT_MS has to be a whole number of milliseconds from 1 to 2147483647' },
  { env: { ACTIVITY_ATTEMPTS: '0' }, problem: 'ACTIVITY_ATTEMPTS has to be a whole number above 0' },
  { env: { SHUTDOWN_GRACE_MS: '120000' }, problem: 'SHUTDOWN_GRACE_MS has to be more than SEND_LIMIT_MS, or a stopping worker would cut off a send' },
  { env: { HEARTBEAT_EVERY_MS: '10000' }, problem: 'HEARTBEAT_EVERY_MS has to be less than HEARTBEAT_TIMEOUT_MS' },
  { env: { FIRST_RETRY_MS: '3600001' }, problem: 'FIRST_RETRY_MS has to be at most MAX_RETRY_MS' },
])('$env is refused: $problem', ({ env, problem }) => {
  expect(problems(env)).toEqual([problem]);
});

test('all problems are told at once', () => {
  expect(problems({ PORT: 'x', MODEL: 'y' })).toHaveLength(2);
});

test('a profile for other work on this machine never reaches a server that only an address names', () => {
  const { connect } = readConfig({ TEMPORAL_ADDRESS: 'a:1', TEMPORAL_API_KEY: 'key', HOME: '/home/ada', PATH: '/bin' }).temporal;
  expect(connect).toEqual({ disableFile: true, overrideEnvVars: { TEMPORAL_ADDRESS: 'a:1', TEMPORAL_API_KEY: 'key', HOME: '/home/ada' } });
});

test.for([
  'DATABASE_URL', 'SMTP_URL', 'STANDDOWN_SECRET', 'OPENAI_API_KEY', 'TEMPORAL_API_KEY', 'TEMPORAL_TLS_CLIENT_KEY_DATA',
])('%s is marked as a secret', (name) => {
  expect(settings.find((setting) => setting.name === name)).toMatchObject({ secret: true });
});

test('every setting has a meaning and says what happens without it', () => {
  expect(settings.filter(({ default: fallback, meaning }) => fallback === '' || meaning === '')).toEqual([]);
});

test('what a process cannot do without is asked for by its name', () => {
  expect(() => required(readConfig({}).database.url, 'DATABASE_URL')).toThrow('DATABASE_URL is required here');
});

const addresses = {
  pid: 1,
  page: 'http://127.0.0.1:3000',
  inbox: null,
  temporalUi: null,
  variables: { DATABASE_URL: 'postgres://embedded', STANDDOWN_SECRET: secret, TEMPORAL_ADDRESS: '127.0.0.1:1', TEMPORAL_NAMESPACE: 'default' },
};

test.for([
  { title: 'fill in what the environment leaves open', env: {}, expected: addresses.variables },
  { title: 'give way to the environment', env: { STANDDOWN_SECRET: 'another secret of mine' }, expected: { ...addresses.variables, STANDDOWN_SECRET: 'another secret of mine' } },
  { title: 'are not mixed with a database of one\'s own', env: { DATABASE_URL: 'postgres://mine' }, expected: { DATABASE_URL: 'postgres://mine' } },
  { title: 'leave Temporal alone where the environment names one', env: { TEMPORAL_PROFILE: 'prod' }, expected: { DATABASE_URL: 'postgres://embedded', STANDDOWN_SECRET: secret, TEMPORAL_PROFILE: 'prod' } },
])('the addresses of the start command $title', ({ env, expected }) => {
  expect(withAddresses(env, JSON.stringify(addresses))).toEqual(expected);
});

test('the addresses are in the data folder', () => {
  expect(addressesFile({ STANDDOWN_DATA: '/var/lib/standdown' })).toBe('/var/lib/standdown/addresses.json');
});
