import type { Reports } from '../reports.ts';
import type { Call } from './call.ts';
import { routes } from './openapi/routes.ts';

export type TemporalState = 'reachable' | 'unreachable' | 'unknown';

export interface HealthOptions {
  readonly reports: Reports;
  /** Asked for `/readyz`, which tells its answer and does not depend on it. */
  readonly temporalState: () => Promise<TemporalState>;
}

export function healthCalls({ reports, temporalState }: HealthOptions): Call[] {
  return [
    { route: routes.health, handler: (c) => c.json({ alive: true }) },
    {
      route: routes.readiness,
      handler: async (c) => {
        const [ready, temporal] = await Promise.all([reports.isReady(), temporalState()]);
        if (ready) return c.json({ ready, database: 'writable', temporal });
        return c.json({ ready, database: 'unavailable', temporal }, 503, { 'Retry-After': '5' });
      },
    },
  ];
}
