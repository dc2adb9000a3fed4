import { emailPoints } from './check-emails.ts';
import { endPoints } from './check-ends.ts';
import { foldPoints } from './check-fold.ts';
import { orderPoints } from './check-order.ts';
import { chainPoint } from './check-chain.ts';
import { rowsPoint } from './check-rows.ts';
import { workPoints } from './check-work.ts';
import type { LedgerPoint, Point } from './check-point.ts';

/** Points 1 to 15, which one ledger is enough to check. */
export const ledgerPoints: readonly LedgerPoint[] = [...orderPoints, ...workPoints, ...emailPoints, ...endPoints, ...foldPoints].toSorted(
  (one, other) => one.number - other.number,
);

/** Everything the checker proves. */
export const points: readonly Point[] = [...ledgerPoints, rowsPoint, chainPoint];
