import pg from 'pg';
import { asAdmin } from './database.ts';

/** Moves the clock of every decision of one database ahead, in all. */
export async function setClockAhead(databaseUrl: string, interval: string): Promise<void> {
  await asAdmin((admin) => admin.query('update clock set ahead = $1::interval', [interval]), databaseUrl);
}

export interface KeptClock {
  stop(): void;
}

const everyMs = 20;

/** Keeps a database's clock with another one that skips time. */
export function keepClock(databaseUrl: string, currentTimeMs: () => Promise<number>): KeptClock {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const state = { isStopped: false };
  const tick = async (): Promise<void> => {
    const aheadMs = (await currentTimeMs()) - Date.now();
    await pool.query(`update clock set ahead = greatest(ahead, make_interval(secs => $1 / 1000.0))`, [aheadMs]);
  };
  const loop = async (): Promise<void> => {
    while (!state.isStopped) {
      await tick();
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    await pool.end();
  };
  // The server that is asked for its time goes away with the test.
  void loop().catch(() => pool.end());
  return {
    stop: () => {
      state.isStopped = true;
    },
  };
}
