/** The states met so far, by number, and the moves between them that take nothing to go wrong. */
export interface Graph {
  readonly from: number[];
  readonly to: number[];
  readonly ended: boolean[];
  readonly mustEnd: boolean[];
}

/** The first state that must end and from which no such moves lead to an end; null where every one has a way. */
export function firstStuck(graph: Graph): number | null {
  const reaches = Uint8Array.from(graph.ended, Number);
  const { starts, sources } = incoming(graph);
  const ahead = graph.ended.flatMap((isEnded, number) => (isEnded ? [number] : []));
  for (let number = ahead.pop(); number !== undefined; number = ahead.pop()) {
    for (let edge = starts[number] ?? 0; edge < (starts[number + 1] ?? 0); edge++) {
      const source = sources[edge] ?? 0;
      if (reaches[source] === 1) continue;
      reaches[source] = 1;
      ahead.push(source);
    }
  }
  const stuck = graph.mustEnd.findIndex((must, number) => must && reaches[number] === 0);
  return stuck < 0 ? null : stuck;
}

/** The sources of the moves into each state, one state after the other. */
function incoming({ from, to, ended }: Graph): { starts: Uint32Array; sources: Uint32Array } {
  const starts = new Uint32Array(ended.length + 1);
  for (const number of to) starts[number + 1] = (starts[number + 1] ?? 0) + 1;
  for (let number = 1; number < starts.length; number++) starts[number] = (starts[number] ?? 0) + (starts[number - 1] ?? 0);
  const filled = starts.slice();
  const sources = new Uint32Array(from.length);
  to.forEach((number, edge) => {
    const place = filled[number] ?? 0;
    sources[place] = from[edge] ?? 0;
    filled[number] = place + 1;
  });
  return { starts, sources };
}
