import { freshRun, spend, type Move, type World } from './world.ts';

export function disasters(world: World): Move[] {
  const { left } = world;
  const moves: Move[] = [];
  if (left.duplicates > 0) {
    const run = freshRun(`r${world.next}`);
    const after = { ...world, runs: [...world.runs, run], next: world.next + 1, left: spend(left, 'duplicates') };
    moves.push({ label: `a second run of the same id, ${run.id}, starts`, fault: true, world: after });
  }
  if (left.failovers > 0 && world.standby !== null) {
    const after = { ...world, state: world.standby, standby: null, left: spend(left, 'failovers') };
    moves.push({ label: 'a standby takes over that never had the acknowledged cancel', fault: true, world: after });
  }
  if (left.restores > 0 && world.state !== null) {
    moves.push({ label: 'a database without the report takes its place', fault: true, world: { ...world, state: null, left: spend(left, 'restores') } });
  }
  return moves;
}
