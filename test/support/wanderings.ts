import { emailId } from '../../workflows/contract/email.ts';
import type { Entry } from '../../workflows/contract/entry.ts';
import type { Authority, Step } from '../../workflows/contract/vocabulary.ts';
import * as deeds from './deeds.ts';
import { random, type Random } from './random.ts';

const recipients = 3;

/** The ledger of a report to which things happen in no order that anybody planned; most are refused, none breaks a rule. */
export function wander(seed: number): Entry[] {
  const chance = random(seed);
  const documents = 1 + chance.below(2);
  const hurried = chance.below(2) === 0 ? [] : [...deeds.summarise(documents), deeds.begin('combine'), deeds.returned('combine'), deeds.save];
  const steps = Array.from({ length: 60 }, (_, index) => anything(chance, documents, 10 * index));
  return deeds.carryOut([deeds.register(recipients), ...hurried, ...steps.flat()]).entries;
}

function anything(chance: Random, documents: number, seconds: number): deeds.Deed[] {
  const kind = chance.below(100);
  if (kind < 3) return [rare(chance)];
  if (kind < 8) return [deeds.wait(chance.pick([1, 20, 100]))];
  if (kind < 13) return [chance.pick([deeds.losePastDeadline, deeds.losePastDeadline, deeds.loseRun('run-1')])];
  if (kind < 22) return [afterwards(chance)];
  if (kind < 57) return work(chance, documents, seconds);
  return emailing(chance, seconds);
}

function rare(chance: Random): deeds.Deed {
  return chance.pick([deeds.cancel(), deeds.fail('model_empty'), deeds.fail('model_empty', 'run-2'), deeds.loseWorkflow]);
}

function afterwards(chance: Random): deeds.Deed {
  const request = `request ${chance.below(6)}`;
  return chance.pick([
    deeds.deleteDocument(request),
    deeds.correct(request),
    deeds.resend(anyEmail(chance), chance.below(2) === 0, request),
    deeds.resend(anyEmail(chance), true, request),
    deeds.supersede(),
  ]);
}

function work(chance: Random, documents: number, seconds: number): deeds.Deed[] {
  const step = chance.pick<Step>(['collect', 'summarise/1', 'summarise/2', 'combine']);
  const operation = `${step} ${chance.below(4)}`;
  const owner = chance.pick(['run-1/1', 'run-2/1']);
  const begin = deeds.begin(step, operation, owner, deeds.second(seconds + 60));
  const returned = deeds.returned(operation, step === 'collect' ? documents : null);
  const end = chance.pick([returned, returned, returned, deeds.stopped(operation, 'shutdown'), deeds.broke(operation, 'model_empty')]);
  return chance.pick([[begin], [begin, end], [end], [begin, end], [deeds.save]]);
}

function emailing(chance: Random, seconds: number): deeds.Deed[] {
  const email = anyEmail(chance);
  const number = chance.below(9);
  const window = chance.pick([{}, { replayUntilAt: deeds.second(seconds + 120) }]);
  const claim = deeds.claim(email, number, { ...window, authority: anyAuthority(chance, email), deadlineAt: deeds.second(seconds + 60) });
  const outcome = deeds.outcome(email, chance.pick(['accepted', 'refused', 'refused', 'unknown']), number, chance.below(4) === 0);
  return chance.pick([[claim], [claim, outcome], [claim, outcome], [outcome], [deeds.find(email, number, 1 + chance.below(2))], [deeds.giveUp(email)]]);
}

function anyEmail(chance: Random): string {
  const number = 1 + chance.below(recipients + 1);
  return emailId(number, chance.pick([null, null, null, 1 + chance.below(2)]));
}

function anyAuthority(chance: Random, email: string): Authority {
  const own: Authority = email.startsWith('report-') ? 'report' : 'correction-1';
  return chance.pick([own, own, own, 'resend-1', 'resend-2', 'correction-2']);
}
