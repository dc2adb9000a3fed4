import { setTimeout as pause } from 'node:timers/promises';
import { asAdmin } from './database.ts';
import { until } from './waiting.ts';

/** Longer than two looks of a process that watches. */
const restMs = 700;

/** When watched reports were last looked for in this database, by whatever process. */
async function lastLook(url: string): Promise<string> {
  let at = 'never';
  await asAdmin(async (admin) => {
    const { rows } = await admin.query<{ at: string | null }>(
      `select max(query_start)::text as at from pg_stat_activity where datname = current_database() and query like 'select id, sequence from reports%'`,
    );
    at = rows[0]?.at ?? at;
  }, url);
  return at;
}

async function isLookedFor(url: string): Promise<boolean> {
  const before = await lastLook(url);
  await pause(restMs);
  return (await lastLook(url)) !== before;
}

export function reportsAreLookedFor(url: string): Promise<boolean> {
  return until(() => isLookedFor(url), 'watched reports to be looked for');
}

export function nobodyLooks(url: string): Promise<boolean> {
  return until(async () => !(await isLookedFor(url)), 'nobody to look for reports any more');
}
