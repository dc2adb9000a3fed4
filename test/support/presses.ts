import type { Receipt, Status } from '../../workflows/contract/status.ts';
import { createReports } from '../../client/reports.ts';
import { openStore } from '../../store/store.ts';
import type { Product } from './product.ts';

export const doorNames = ['http', 'plain'] as const;
export type DoorName = (typeof doorNames)[number];

/** Asks to cancel, by a door. What Temporal says of a closed run is no fault. */
const doors = {
  http: async (product: Product, id: string): Promise<Receipt | null> => {
    const answer = await product.reports.cancel(id, { requestId: null, by: 'somebody', reason: 'wrong month', door: 'http' });
    return answer?.receipt ?? null;
  },
  plain: async (product: Product, id: string): Promise<null> => {
    await product.temporal.workflow.getHandle(id).cancel();
    return null;
  },
} as const satisfies Record<DoorName, (product: Product, id: string) => Promise<Receipt | null>>;

export const pressNames = ['once', 'twice', 'with the page closed and reopened'] as const;
export type PressName = (typeof pressNames)[number];

type Press = (product: Product, door: DoorName, id: string) => Promise<readonly (Receipt | null)[]>;

/** The ways in which a person presses the button. */
export const presses = {
  once: async (product, door, id) => [await doors[door](product, id)],
  twice: (product, door, id) => Promise.all([doors[door](product, id), doors[door](product, id)]),
  'with the page closed and reopened': async (product, door, id) => [await fromAPageThatCloses(product, (client) => doors[door](client, id))],
} as const satisfies Record<PressName, Press>;

/** Presses from a client of its own, with its own connections, which is gone as soon as it has its answer. */
async function fromAPageThatCloses<Answer>(product: Product, press: (client: Product) => Promise<Answer>): Promise<Answer> {
  const store = openStore({ url: product.databaseUrl, poolSize: 1 });
  const reports = createReports({ store, secret: 'a secret for tests only', inspectSources: async () => [] });
  try {
    return await press({ ...product, store, reports });
  } finally {
    reports.close();
    await store.close();
  }
}

/** The status as somebody sees it who comes anew: another client, with connections of its own. */
export async function readAfresh(product: Product, id: string): Promise<Status | null> {
  return fromAPageThatCloses(product, ({ reports }) => reports.status(id));
}
