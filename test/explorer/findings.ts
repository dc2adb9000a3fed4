import type { Exploration } from './explore.ts';
import { isThorough } from './thoroughness.ts';

/** What the explorations of a test file came to, told once at its end. */
export class Findings {
  readonly #lines: string[] = [];

  add(what: string, exploration: Exploration): void {
    this.#lines.push(`${String(exploration.states).padStart(9)} states${howFar(exploration)}: ${what}`, ...wayOf(exploration));
  }

  print(): void {
    console.log(['What the explorer of the contract has seen:', ...this.#lines].join('\n'));
  }
}

function howFar({ cut, counterexample }: Exploration): string {
  if (counterexample !== null) return `, a counterexample of length ${counterexample.steps.length}`;
  return cut ? ', CUT at the limit (EXPLORE=full goes on)' : ', all';
}

/** The ways are long; the violation is in the title of the test already. */
function wayOf({ counterexample }: Exploration): string[] {
  if (counterexample === null || !isThorough) return [];
  return [...counterexample.steps.map((step, index) => `${String(index + 1).padStart(14)}. ${step}`), `${' '.repeat(16)}→ ${counterexample.violation}`];
}
