import { expect, test } from 'vitest';
import { filledDatabases } from './support/database.ts';
import { verifyDatabases } from './support/verifying.ts';

test('every ledger that the tests of this run have written verifies, with the rows beside it', { timeout: 600_000 }, async () => {
  const databases = await filledDatabases();
  const { reports, violations } = await verifyDatabases(databases);
  console.log(`verified ${reports} reports in ${databases.length} databases`);
  expect(violations).toEqual([]);
});
