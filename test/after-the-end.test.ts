import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActionAnswer } from '../client/reports.ts';
import type { SendOutcome } from '../activities/mail/mail.ts';
import { startProduct, type Product } from './support/product.ts';
import { quickModel } from './support/quick-model.ts';
import { scriptedMail } from './support/scripted-mail.ts';
import { moments, openScene, type Scene } from './support/scenes.ts';
import { inputOf } from './support/steps.ts';
import { endOf, statusWhere } from './support/waiting.ts';

const by = 'an editor';
const asking = () => ({ request: randomUUID(), by });

/** The actions that are possible only at an end, as a person asks for them. */
const actions = {
  deleting: (product: Product, id: string) => product.reports.deleteDocument(id, asking()),
  correcting: (product: Product, id: string) => product.reports.correct(id, { ...asking(), message: 'The numbers of March were wrong.' }),
  resending: (product: Product, id: string) => product.reports.resend(id, { ...asking(), email: 'report-1', acceptDuplicateRisk: true }),
} as const satisfies Record<string, (product: Product, id: string) => Promise<ActionAnswer | null>>;

function wordOf(answer: ActionAnswer | null): string {
  return answer === null ? 'unknown' : answer.kind === 'refused' ? answer.reason : answer.kind;
}

describe('what is possible', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene({});
  });
  afterAll(() => scene.close());

  test.each([
    ['deleting', 'summarising', 'not_ended'],
    ['correcting', 'summarising', 'not_ended'],
    ['resending', 'summarising', 'not_ended'],
    ['deleting', 'cancelled', 'no_document'],
    ['correcting', 'cancelled', 'nobody_to_correct'],
    ['resending', 'cancelled', 'cancelled'],
    ['deleting', 'failed', 'no_document'],
    ['correcting', 'failed', 'nobody_to_correct'],
    ['resending', 'failed', 'no_document'],
    ['deleting', 'ended', 'done'],
    ['correcting', 'ended', 'done'],
    ['resending', 'ended', 'email_accepted'],
  ] as const)('%s a report that is %s is answered: %s', async (action, moment, answered) => {
    const id = await moments[moment](scene);
    expect(wordOf(await actions[action](scene.product, id))).toBe(answered);
    await scene.product.reports.cancel(id, { requestId: null, by: null, reason: null, door: 'http' });
    await endOf(scene.product, id);
  });

  test.each(['deleting', 'correcting', 'resending'] as const)('%s a report that is not there is answered: unknown', async (action) => {
    expect(wordOf(await actions[action](scene.product, 'nothing'))).toBe('unknown');
  });
});

describe('a finished report', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene({});
  });
  afterAll(() => scene.close());

  test('that is deleted says so in its headline and keeps what it says of its emails', async () => {
    const id = await moments.ended(scene);
    await actions.deleting(scene.product, id);
    const again = await actions.deleting(scene.product, id);
    expect(wordOf(again)).toBe('done');
    expect(await scene.product.reports.document(id)).toMatchObject({ kind: 'deleted' });
    expect(await scene.product.reports.status(id)).toMatchObject({
      headline: 'Finished. Report saved and deleted since; email accepted by the mail service',
      document: { state: 'deleted', url: null },
    });
    expect((await scene.product.reports.ledger(id))?.filter(({ kind }) => kind === 'document_deleted').length).toBe(1);
  });

  test('that is corrected sends the correction once, also when it is ordered twice under one key', async () => {
    const id = await moments.ended(scene);
    const before = await scene.mailService.taken();
    const ordering = { request: 'the same key', by, message: 'The numbers of March were wrong.' };
    await Promise.all([scene.product.reports.correct(id, ordering), scene.product.reports.correct(id, ordering)]);
    const status = await statusWhere(scene.product, id, ({ headline }) => headline.includes('correction ordered: email accepted'), 'the correction to be taken');
    expect(status.headline).toBe('Finished. Report saved; email accepted by the mail service; 1 correction ordered: email accepted by the mail service');
    expect(status.corrections).toMatchObject([{ number: 1, message: 'The numbers of March were wrong.' }]);
    expect(status.emails.map(({ id: email, purpose, state }) => ({ email, purpose, state }))).toEqual([
      { email: 'report-1', purpose: 'report', state: 'accepted' },
      { email: 'correction-1-1', purpose: 'correction:1', state: 'accepted' },
    ]);
    expect((await scene.mailService.taken()) - before).toBe(1);
  });

  test('under a key that was used for something else refuses', async () => {
    const id = await moments.ended(scene);
    await scene.product.reports.deleteDocument(id, { request: 'one key', by });
    expect(wordOf(await scene.product.reports.correct(id, { request: 'one key', by, message: 'x' }))).toBe('request_reused');
  });

  test('is superseded by a report that mails nobody twice', async () => {
    const id = await moments.ended(scene);
    const before = await scene.mailService.taken();
    const input = inputOf({ supersedes: id, recipients: ['reader@example.com', 'new@example.com'] });
    const started = await scene.product.reports.start({ input, key: randomUUID(), caller: 'test' });
    const successor = 'report' in started ? started.report.id : '';
    expect((await endOf(scene.product, successor)).headline).toBe('Finished. Report saved; 1 email accepted by the mail service, 1 not started');
    expect(await scene.product.reports.status(id)).toMatchObject({ supersededBy: successor });
    expect((await scene.mailService.taken()) - before).toBe(1);
    expect(wordOf(await actions.resending(scene.product, id))).toBe('already_superseded');
  });
});

describe('an unconfirmed email', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene({ fault: { at: 'dot', then: 'close' } });
  });
  afterAll(() => scene.close());

  test('is sent again only where the risk is accepted, and both attempts stay visible', async () => {
    const id = await moments.ended(scene);
    const refused = await scene.product.reports.resend(id, { ...asking(), email: 'report-1', acceptDuplicateRisk: false });
    expect(wordOf(refused)).toBe('risk_not_accepted');
    expect(wordOf(await actions.resending(scene.product, id))).toBe('done');
    const status = await statusWhere(scene.product, id, ({ emails }) => emails[0]?.attempts[1]?.outcome === 'unknown', 'the second attempt to end');
    expect(status.headline).toBe('Finished. Report saved; email outcome unconfirmed');
    expect(new Set(status.emails[0]?.attempts.map(({ messageId }) => messageId)).size).toBe(2);
    expect(await scene.mailService.taken()).toBe(2);
  });
});

test('a correction that is refused for now is tried again, and its run goes on until it is taken', async () => {
  const outcomes: readonly SendOutcome[] = [{ kind: 'accepted', providerId: null }, { kind: 'not_accepted', permanent: false, phase: 'envelope', code: 451 }];
  const { mail } = scriptedMail((number) => outcomes[number - 1] ?? { kind: 'accepted', providerId: null }, () => ({ kind: 'absent' }));
  const product = await startProduct({ model: quickModel, mail });
  const started = await product.reports.start({ input: inputOf(), key: 'once', caller: 'test' });
  const id = 'report' in started ? started.report.id : '';
  await endOf(product, id);
  await actions.correcting(product, id);
  const status = await statusWhere(product, id, ({ emails }) => emails[1]?.state === 'accepted', 'the correction to be taken');
  await product.stop();
  expect(status.emails[1]?.attempts.map(({ outcome }) => outcome)).toEqual(['refused', 'accepted']);
});
