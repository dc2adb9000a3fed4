import { afterAll, describe, expect, test } from 'vitest';
import { configurations } from './explorer/configurations.ts';
import { explore } from './explorer/explore.ts';
import { Findings } from './explorer/findings.ts';
import { allRules } from './explorer/rules.ts';
import { ofEmails, ofWork, type SwitchedOff } from './explorer/switched-off.ts';
import { limitOfMinutes, limitOfStates } from './explorer/thoroughness.ts';

const timeout = limitOfMinutes * 60_000;
const findings = new Findings();

afterAll(() => findings.print());

describe('with every rule on', () => {
  test.each(configurations)('every state keeps the contract and has an end within reach: $what', { timeout }, ({ what, within }) => {
    const exploration = explore(within, allRules, limitOfStates);
    findings.add(what, exploration);
    expect(exploration.counterexample).toBeNull();
  });
});

interface Row extends SwitchedOff {
  readonly violation: string | null;
  readonly then: string;
}

function rowOf(row: SwitchedOff): Row {
  const violation = typeof row.finds === 'string' ? row.finds : null;
  return { ...row, violation, then: typeof row.finds === 'string' ? row.finds : `nothing breaks, thanks to ${row.finds.backedBy}` };
}

describe('with one rule off', () => {
  test.each([...ofWork, ...ofEmails].map(rowOf))('rule $rule, so that $off: $then', { timeout }, ({ rule, off, rules, within, violation }) => {
    const exploration = explore(within, rules, limitOfStates);
    findings.add(`rule ${rule} off, so that ${off}`, exploration);
    expect({ violation: exploration.counterexample?.violation ?? null, isCut: exploration.cut }).toEqual({ violation, isCut: false });
  });

  test('the shortest counterexample tells how the rule is missed', { timeout }, () => {
    const ways = ofEmails.filter(({ off }) => off === 'an unconfirmed email is sent again').map(({ rules, within }) => explore(within, rules, limitOfStates).counterexample?.steps);
    expect(ways).toEqual([
      [
        'p1 of r0 saves: repeated',
        'p2 of r0 claims report-1 under report',
        'p2 transmits report-1',
        'p2 learns nothing (report-1)',
        'p3 of r0 claims report-1 under report',
        'p3 transmits report-1',
        'the mail server takes attempt 1 of report-1',
        'the mail server takes attempt 2 of report-1',
      ],
    ]);
  });
});
