import { join, resolve } from 'node:path';
import { z } from 'zod';

/** Environment variables by name; an empty one counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The text of `addresses.json`, by which the start command tells other commands where everything is. */
export interface Addresses {
  readonly pid: number;
  readonly page: string;
  readonly inbox: string | null;
  readonly temporalUi: string | null;
  /** Settings that reach the same servers, by variable name. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Settings that are wrong or missing: one sentence each, beginning with the variable's name. */
export class WrongSettings extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'WrongSettings';
    this.problems = problems;
  }
}

const home = import.meta.dirname;

const about = z.registry<{ fallback: string; meaning: string; secret: boolean }>();

function withDefault<T>(parser: z.ZodType<T, string>, fallback: string, meaning: string) {
  return parser.prefault(fallback).register(about, { fallback, meaning, secret: false });
}

const orNull = <T>(parser: z.ZodType<T, string>) => parser.optional().transform((value) => value ?? null);

/** A setting that may be unset; `fallback` says in words what happens then. */
function optional<T>(parser: z.ZodType<T, string>, fallback: string, meaning: string) {
  return orNull(parser).register(about, { fallback, meaning, secret: false });
}

function secret<T>(parser: z.ZodType<T, string>, fallback: string, meaning: string) {
  return orNull(parser).register(about, { fallback, meaning, secret: true });
}

const MAX_PORT = 65_535;
const text = z.string();
const port = z.string().regex(/^\d{1,5}$/, `a port number from 0 to ${MAX_PORT}`).transform(Number).refine((number) => number <= MAX_PORT, `a port number from 0 to ${MAX_PORT}`);
const positive = z.string().regex(/^[1-9]\d{0,11}$/, 'a whole number above 0').transform(Number);
const MAX_MS = 2_147_483_647; // A timer asked to wait longer fires at once.
const wantedMs = `a whole number of milliseconds from 1 to ${MAX_MS}`;
const milliseconds = z.string().regex(/^[1-9]\d{0,11}$/, wantedMs).transform(Number).refine((number) => number <= MAX_MS, wantedMs);
const path = z.string().transform((given) => resolve(given));
const httpUrl = z.url({ protocol: /^https?$/, error: 'an http:// or https:// address' }).transform((url) => url.replace(/\/+$/, ''));
const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'a postgres:// address' });
const smtpUrl = z.url({ protocol: /^smtps?$/, error: 'an smtp:// or smtps:// address' });
const address = z.string().regex(/^(\[[\da-f:]+\]|[^\s:/]+):\d{1,5}$/i, 'host:port');
const mailbox = z.string().regex(/^[^\s@<>]+@[^\s@<>]+$/, 'one plain email address');
const model = z.string().regex(/^(extractive|openai\/\S+)$/, 'extractive or openai/<model>');
const lookup = z.string().regex(/^(none|(maildev|mailpit):https?:\/\/\S+)$/, 'maildev:<url>, mailpit:<url> or none');
const provider = z.enum(['smtp'], { error: 'smtp' });
const longSecret = z.string().min(16, 'text of at least 16 characters');

const [ANY_PORT, EMBEDDED_TEMPORAL] = ['any free port', 'the embedded dev server'];

const Variables = z.object({
  PORT: withDefault(port, '3000', 'port of the API and the page; 0 takes any free one'),
  HOST: withDefault(text, '127.0.0.1', 'address that the API listens on'),
  PUBLIC_URL: optional(httpUrl, 'from HOST and PORT', 'address that links in emails begin with'),
  STANDDOWN_URL: optional(httpUrl, 'the database and Temporal directly', 'API that the command line talks to'),
  STANDDOWN_DATA: withDefault(path, join(home, '.standdown'), "folder of the embedded servers' data"),
  STANDDOWN_SECRET: secret(longSecret, 'made once, kept in the data folder', 'key of the links in emails; required where DATABASE_URL is set'),
  DATABASE_URL: secret(postgresUrl, 'the embedded PostgreSQL', 'PostgreSQL to use'),
  DATABASE_POOL_SIZE: withDefault(positive, '10', 'connections to PostgreSQL that one process keeps'),
  TEMPORAL_ADDRESS: optional(address, EMBEDDED_TEMPORAL, 'Temporal to use, as host:port'),
  TEMPORAL_NAMESPACE: optional(text, "the profile's, else default", 'namespace in Temporal'),
  TEMPORAL_TASK_QUEUE: withDefault(text, 'standdown', 'task queue of workflows and activities'),
  TEMPORAL_PROFILE: optional(text, 'none', "profile of Temporal's own configuration file"),
  TEMPORAL_CONFIG_FILE: optional(path, "Temporal's usual place, read only with TEMPORAL_PROFILE", "Temporal's own configuration file (TOML)"),
  TEMPORAL_API_KEY: secret(text, 'none', 'API key for Temporal'),
  TEMPORAL_TLS: optional(text, 'on with an API key or a certificate', 'true or false: TLS to Temporal'),
  TEMPORAL_TLS_CLIENT_CERT_PATH: optional(text, 'none', 'client certificate (mTLS), as a file'),
  TEMPORAL_TLS_CLIENT_CERT_DATA: secret(text, 'none', 'client certificate (mTLS), as text'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: optional(text, 'none', 'key of the client certificate, as a file'),
  TEMPORAL_TLS_CLIENT_KEY_DATA: secret(text, 'none', 'key of the client certificate, as text'),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: optional(text, "the system's", "certificate authority of Temporal's server, as a file"),
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: optional(text, "the system's", "certificate authority of Temporal's server, as text"),
  TEMPORAL_TLS_SERVER_NAME: optional(text, 'from the address', "name in the certificate of Temporal's server"),
  TEMPORAL_CLI_PATH: optional(path, 'temporal on the PATH, else fetched', "executable of Temporal's dev server"),
  TEMPORAL_TEST_SERVER_PATH: optional(path, 'fetched', "executable of Temporal's test server"),
  POSTGRES_PORT: optional(port, ANY_PORT, 'port of the embedded PostgreSQL'),
  TEMPORAL_PORT: optional(port, ANY_PORT, 'port of the embedded Temporal'),
  TEMPORAL_UI_PORT: optional(port, ANY_PORT, "port of the embedded Temporal's web page"),
  SMTP_PORT: optional(port, ANY_PORT, 'port of the embedded mail server'),
  INBOX_PORT: optional(port, ANY_PORT, "port of the embedded mail server's inbox page"),
  DOCUMENTS_ROOT: withDefault(path, join(home, 'samples'), 'folder that sources may be read from'),
  MODEL: withDefault(model, 'extractive', 'what summarises: extractive (built in, offline) or openai/<model>'),
  OPENAI_BASE_URL: optional(httpUrl, "OpenAI's own", 'address of an OpenAI-compatible API'),
  OPENAI_API_KEY: secret(text, 'none', 'key of that API'),
  MAIL_PROVIDER: withDefault(provider, 'smtp', 'how emails are sent'),
  SMTP_URL: secret(smtpUrl, 'the embedded mail server', 'mail server to send with'),
  MAIL_FROM: withDefault(mailbox, 'reports@standdown.localhost', 'sender of the emails'),
  MAIL_LOOKUP: optional(lookup, 'the embedded mail server where that is used, else none', 'where to look for evidence of an unconfirmed email'),
  COLLECT_LIMIT_MS: withDefault(milliseconds, '600000', 'longest collection of documents'),
  MODEL_CALL_LIMIT_MS: withDefault(milliseconds, '300000', 'longest single model call'),
  SEND_LIMIT_MS: withDefault(milliseconds, '120000', 'longest single send of an email'),
  DEADLINE_MARGIN_MS: withDefault(milliseconds, '5000', 'how long after its limit an operation is recorded as lost'),
  RETRY_FOR_MS: withDefault(milliseconds, '86400000', 'how long a refused email is tried again'),
  FIRST_RETRY_MS: withDefault(milliseconds, '30000', 'wait before the first retry of an email'),
  MAX_RETRY_MS: withDefault(milliseconds, '3600000', 'longest wait between two retries of an email'),
  ACTIVITY_ATTEMPTS: withDefault(positive, '5', 'tries of a collection or summary before the report fails'),
  HEARTBEAT_TIMEOUT_MS: withDefault(milliseconds, '10000', 'silence after which Temporal gives an activity up'),
  HEARTBEAT_EVERY_MS: withDefault(milliseconds, '2000', 'time between two heartbeats'),
  SWEEP_EVERY_MS: withDefault(milliseconds, '15000', 'time between two sweeps for what is due'),
  VANISHED_CHECK_MS: withDefault(milliseconds, '60000', 'time between two checks before a workflow counts as vanished'),
  STICKY_SCHEDULE_TO_START_MS: withDefault(milliseconds, '10000', 'how long Temporal waits for the worker that has a workflow in memory'),
  SHUTDOWN_GRACE_MS: optional(milliseconds, 'SEND_LIMIT_MS + DEADLINE_MARGIN_MS', 'how long a stopping worker lets its activities go on'),
});

/** Every setting, in the order of the documentation. */
export const settings = Object.entries(Variables.shape).map(([name, schema]) => {
  const { fallback, meaning, secret: isSecret } = about.get(schema) ?? { fallback: '', meaning: '', secret: false };
  return { name, default: fallback.replace(`${home}/`, ''), meaning, secret: isSecret };
});

type EmbeddedPort = 'postgresPort' | 'temporalPort' | 'temporalUiPort' | 'smtpPort' | 'inboxPort';

/** Everything that a process of Standdown can be told. `null` stands for what the start command embeds. */
export interface Config {
  readonly http: { readonly host: string; readonly port: number; readonly publicUrl: string };
  /** The API that the command line talks to instead of the database and Temporal. */
  readonly standdownUrl: string | null;
  readonly data: string;
  readonly secret: string | null;
  readonly database: { readonly url: string | null; readonly poolSize: number };
  readonly temporal: TemporalConfig;
  /** Ports of the embedded servers; `null` takes any free one. */
  readonly embedded: Readonly<Record<EmbeddedPort, number | null>>;
  readonly documentsRoot: string;
  readonly model:
    | { readonly kind: 'extractive' }
    | { readonly kind: 'openai'; readonly model: string; readonly baseUrl: string | null; readonly apiKey: string | null };
  readonly mail: MailConfig;
  readonly limits: Limits;
}

export interface TemporalConfig {
  /** Whether the environment names a server, by address, profile or configuration file. */
  readonly isGiven: boolean;
  readonly taskQueue: string;
  /** What `loadClientConnectConfig` of `@temporalio/envconfig` takes; it answers address, namespace, TLS and API key. */
  readonly connect: { readonly overrideEnvVars: Record<string, string>; readonly disableFile: boolean };
  readonly cliPath: string | null;
  readonly testServerPath: string | null;
}

export interface MailConfig {
  readonly provider: 'smtp';
  readonly smtpUrl: string | null;
  readonly from: string;
  /** Where to look for evidence of an unconfirmed email; `null` where there is no such place. */
  readonly lookup: { readonly kind: 'maildev' | 'mailpit'; readonly url: string } | null;
}

/** Durations in milliseconds, and one count. */
export type Limits = Readonly<ReturnType<typeof limitsOf>>;

type Values = z.output<typeof Variables>;

const NAMES_A_SERVER = ['TEMPORAL_ADDRESS', 'TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE'] as const;
/** Where Temporal's loader looks for its configuration file, besides its own variables. */
const FILE_PLACES = ['HOME', 'XDG_CONFIG_HOME', 'APPDATA'];

function withoutEmpty(env: Environment): Record<string, string> {
  const entries = Object.entries(env).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return Object.fromEntries(entries);
}

function parse(env: Record<string, string>): Values {
  const parsed = Variables.safeParse(env);
  if (parsed.success) return parsed.data;
  throw new WrongSettings(
    parsed.error.issues.map(({ path: [name], message }) => `${String(name)} has to be ${message}`),
  );
}

function contradictions(values: Values, limits: Limits): string[] {
  const { sendMs, shutdownGraceMs, heartbeatEveryMs, heartbeatTimeoutMs, firstRetryMs, maxRetryMs } = limits;
  return [
    values.DATABASE_URL !== null && values.STANDDOWN_SECRET === null && 'STANDDOWN_SECRET is required where DATABASE_URL is set: at least 16 characters, the same for every process',
    shutdownGraceMs <= sendMs && 'SHUTDOWN_GRACE_MS has to be more than SEND_LIMIT_MS, or a stopping worker would cut off a send',
    heartbeatEveryMs >= heartbeatTimeoutMs && 'HEARTBEAT_EVERY_MS has to be less than HEARTBEAT_TIMEOUT_MS',
    firstRetryMs > maxRetryMs && 'FIRST_RETRY_MS has to be at most MAX_RETRY_MS',
  ].filter((problem) => problem !== false);
}

function limitsOf(values: Values) {
  const [sendMs, deadlineMarginMs] = [values.SEND_LIMIT_MS, values.DEADLINE_MARGIN_MS];
  return {
    collectMs: values.COLLECT_LIMIT_MS,
    modelCallMs: values.MODEL_CALL_LIMIT_MS,
    sendMs,
    deadlineMarginMs,
    retryForMs: values.RETRY_FOR_MS,
    firstRetryMs: values.FIRST_RETRY_MS,
    maxRetryMs: values.MAX_RETRY_MS,
    activityAttempts: values.ACTIVITY_ATTEMPTS,
    heartbeatTimeoutMs: values.HEARTBEAT_TIMEOUT_MS,
    heartbeatEveryMs: values.HEARTBEAT_EVERY_MS,
    sweepEveryMs: values.SWEEP_EVERY_MS,
    vanishedCheckMs: values.VANISHED_CHECK_MS,
    stickyScheduleToStartMs: values.STICKY_SCHEDULE_TO_START_MS,
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS ?? sendMs + deadlineMarginMs,
  };
}

function temporalOf(values: Values, env: Record<string, string>): TemporalConfig {
  const relevant = Object.entries(env).filter(([name]) => name.startsWith('TEMPORAL_') || FILE_PLACES.includes(name));
  return {
    isGiven: NAMES_A_SERVER.some((name) => values[name] !== null),
    taskQueue: values.TEMPORAL_TASK_QUEUE,
    connect: {
      overrideEnvVars: Object.fromEntries(relevant),
      // Somebody's default profile for other work must not reach a server that only an address names.
      disableFile: values.TEMPORAL_PROFILE === null && values.TEMPORAL_CONFIG_FILE === null,
    },
    cliPath: values.TEMPORAL_CLI_PATH,
    testServerPath: values.TEMPORAL_TEST_SERVER_PATH,
  };
}

function lookupOf(given: string | null): MailConfig['lookup'] {
  const [, kind, url] = /^(maildev|mailpit):(.+?)\/*$/.exec(given ?? '') ?? [];
  return url !== undefined && (kind === 'maildev' || kind === 'mailpit') ? { kind, url } : null;
}

function modelOf(values: Values): Config['model'] {
  const [kind, ...name] = values.MODEL.split('/');
  if (kind === 'extractive') return { kind };
  return { kind: 'openai', model: name.join('/'), baseUrl: values.OPENAI_BASE_URL, apiKey: values.OPENAI_API_KEY };
}

function publicUrlOf({ HOST, PORT }: Values): string {
  const isEverywhere = HOST === '0.0.0.0' || HOST === '::';
  return `http://${isEverywhere ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
}

/** The environment that this process was started with. */
export function environment(): Environment {
  return process.env;
}

/** Reads and checks every setting; throws `WrongSettings` naming each variable that is wrong and what is expected. */
export function readConfig(env: Environment): Config {
  const given = withoutEmpty(env);
  const values = parse(given);
  const limits = limitsOf(values);
  const problems = contradictions(values, limits);
  if (problems.length > 0) throw new WrongSettings(problems);
  return {
    http: { host: values.HOST, port: values.PORT, publicUrl: values.PUBLIC_URL ?? publicUrlOf(values) },
    standdownUrl: values.STANDDOWN_URL,
    data: values.STANDDOWN_DATA,
    secret: values.STANDDOWN_SECRET,
    database: { url: values.DATABASE_URL, poolSize: values.DATABASE_POOL_SIZE },
    temporal: temporalOf(values, given),
    embedded: {
      postgresPort: values.POSTGRES_PORT,
      temporalPort: values.TEMPORAL_PORT,
      temporalUiPort: values.TEMPORAL_UI_PORT,
      smtpPort: values.SMTP_PORT,
      inboxPort: values.INBOX_PORT,
    },
    documentsRoot: values.DOCUMENTS_ROOT,
    model: modelOf(values),
    mail: { provider: values.MAIL_PROVIDER, smtpUrl: values.SMTP_URL, from: values.MAIL_FROM, lookup: lookupOf(values.MAIL_LOOKUP) },
    limits,
  };
}

/** A value that this process cannot do without; throws `WrongSettings` naming the variable where it is missing. */
export function required<T>(value: T | null, variable: string): T {
  if (value !== null) return value;
  throw new WrongSettings([`${variable} is required here; npm start sets it for the processes it starts`]);
}

/** Where the start command leaves its addresses. */
export function addressesFile(env: Environment): string {
  return join(parse(withoutEmpty(env)).STANDDOWN_DATA, 'addresses.json');
}

/** Fills in, from the text of `addresses.json`, what the environment leaves open. A database of one's own is never mixed with the embedded servers. */
export function withAddresses(env: Environment, addressesJson: string): Environment {
  const given = withoutEmpty(env);
  if (given.DATABASE_URL !== undefined) return given;
  const { variables }: Addresses = JSON.parse(addressesJson);
  const fits = ([name]: [string, string]) => !(NAMES_A_SERVER.some((key) => key in given) && name.startsWith('TEMPORAL_'));
  return { ...Object.fromEntries(Object.entries(variables).filter(fits)), ...given };
}
