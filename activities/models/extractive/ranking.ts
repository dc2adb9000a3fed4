/** Yields to whatever else waits, and throws once nobody wants the result any more. */
export type Pause = () => Promise<void>;

const DAMPING = 0.85;
const ROUNDS = 30;

/**
 * How central each text is among all of them, from 0 to 1 (TextRank: texts vote for those they share words with).
 * The work grows with the square of their number.
 */
export async function centrality(texts: readonly ReadonlySet<string>[], pause: Pause): Promise<number[]> {
  const links: { readonly to: number; readonly share: number }[][] = [];
  for (const text of texts) {
    const weights = texts.map((other) => (other === text ? 0 : similarity(text, other)));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    links.push(weights.flatMap((weight, to) => (weight > 0 ? [{ to, share: weight / total }] : [])));
    await pause();
  }
  let ranks = texts.map(() => 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    ranks = voted(ranks, links);
    await pause();
  }
  const highest = Math.max(...ranks);
  return ranks.map((rank) => rank / highest);
}

function voted(ranks: readonly number[], links: readonly (readonly { to: number; share: number }[])[]): number[] {
  const next = ranks.map(() => 1 - DAMPING);
  links.forEach((targets, from) => {
    for (const { to, share } of targets) next[to] = (next[to] ?? 0) + DAMPING * (ranks[from] ?? 0) * share;
  });
  return next;
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return shared(a, b) / Math.max(1, Math.sqrt(a.size * b.size));
}

/** The part of the smaller text's words that the other has as well. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return shared(a, b) / Math.max(1, Math.min(a.size, b.size));
}

/** The part of all their words that both have. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = shared(a, b);
  return common / Math.max(1, a.size + b.size - common);
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const word of a) if (b.has(word)) count += 1;
  return count;
}
