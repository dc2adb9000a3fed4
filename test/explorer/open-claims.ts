import type { Attempt, State } from '../../workflows/contract/state.ts';

export interface OpenClaim {
  readonly email: string;
  readonly attempt: Attempt;
}

export function openClaims(state: State): OpenClaim[] {
  if (state.report.openClaims === 0) return [];
  return Object.values(state.emails).flatMap((email) =>
    email.attempts.filter((attempt) => attempt.open).map((attempt) => ({ email: email.id, attempt })),
  );
}
