import { createVerification } from '../../client/verification.ts';
import { openStore } from '../../store/store.ts';
import type { TestDatabase } from './database.ts';

/** Verifies every report of every database; names each violation with where it is. */
export async function verifyDatabases(databases: readonly TestDatabase[]): Promise<{ reports: number; violations: string[] }> {
  const violations: string[] = [];
  let reports = 0;
  for (const { url, name } of databases) {
    const store = openStore({ url, poolSize: 1 });
    try {
      for await (const verified of createVerification(store).all()) {
        reports += 1;
        violations.push(...verified.violations.map(({ rule, sequence, says }) => `${name} ${verified.reportId} #${sequence}: point ${rule}: ${says}`));
      }
    } finally {
      await store.close();
    }
  }
  return { reports, violations };
}
