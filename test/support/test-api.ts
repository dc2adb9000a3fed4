import type { OpenAPIHono } from '@hono/zod-openapi';
import { createApi, type ApiOptions } from '../../client/http/api.ts';
import { createReports, type ReportsOptions } from '../../client/reports.ts';
import { linkToken } from '../../store/link-token.ts';
import { openStore, type Store } from '../../store/store.ts';
import type { ReportInput } from '../../workflows/contract/input.ts';
import { freshDatabase } from './database.ts';
import { inputOf } from './steps.ts';

const secret = 'a secret for tests only';

export interface TestApi {
  readonly app: OpenAPIHono;
  readonly store: Store;
  readonly url: string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Starts a report under this key; answers the whole response. */
  start(key: string, change?: Partial<ReportInput>, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Path of the link that an email of the report carries. */
  linkTo(report: string): string;
  close(): Promise<void>;
}

type Change = Partial<Pick<ApiOptions, 'stopping' | 'commentEveryMs' | 'temporalState' | 'warn'> & Pick<ReportsOptions, 'inspectSources'> & { databaseUrl: string }>;

/** The API over a database of its own, without a server: no worker, no Temporal. */
export async function openApi(change: Change = {}): Promise<TestApi> {
  const url = change.databaseUrl ?? (await freshDatabase()).url;
  const store = openStore({ url, poolSize: 6 });
  const reports = createReports({ store, secret, inspectSources: change.inspectSources ?? (async () => []) });
  const app = createApi({
    ...{ reports, publicUrl: 'http://standdown.test', stopping: new AbortController().signal, commentEveryMs: 15_000 },
    ...{ temporalState: async () => 'unknown', warn: (says, error) => console.error(says, error) },
    ...change,
  });
  const post: TestApi['post'] = async (path, body, headers = {}) =>
    app.request(path, { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...headers } });
  return {
    ...{ app, store, url, post },
    get: async (path, headers = {}) => app.request(path, { headers }),
    start: (key, startChange = {}, headers = {}) => post('/api/reports', inputOf(startChange), { 'Idempotency-Key': key, ...headers }),
    linkTo: (reportId) => `/r/${linkToken(secret, { reportId, email: 'report-1', generation: 1 })}`,
    close: async () => {
      reports.close();
      await store.close();
    },
  };
}

/** The JSON of an answer, as what a test takes it for. */
export async function bodyOf<Body>(response: Response): Promise<Body> {
  return JSON.parse(await response.text());
}
