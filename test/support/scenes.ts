import { setTimeout as pause } from 'node:timers/promises';
import type { Model } from '../../activities/models/model.ts';
import { createOpenAiModel } from '../../activities/models/openai.ts';
import type { Status } from '../../workflows/contract/status.ts';
import { startFakeModelServer, type FakeModelServer, type ModelFault } from './fake-model-server.ts';
import { faultyService, heldSource, inboxService, isWaitedFor, lockTable, type Gate, type MailService } from './moments.ts';
import { startProduct, type Product } from './product.ts';
import type { SmtpFault } from './fault-smtp-server.ts';
import { inputOf } from './steps.ts';
import { closeStatus, endOf, statusWhere, until } from './waiting.ts';

/** A product with a model server and a mail service that can be made to hold a report at one moment of its life. */
export interface Scene {
  readonly product: Product;
  readonly modelServer: FakeModelServer;
  readonly mailService: MailService;
  readonly gates: Gate[];
  readonly reads: () => number;
  close(): Promise<void>;
}

export interface SceneOptions {
  readonly fault?: SmtpFault;
  readonly holdsSource?: boolean;
  readonly isStubborn?: boolean;
  readonly works?: boolean;
  readonly pushes?: boolean;
}

export async function openScene({ fault, holdsSource, isStubborn, works, pushes }: SceneOptions): Promise<Scene> {
  const modelServer = await startFakeModelServer();
  const mailService = fault === undefined ? await inboxService() : await faultyService(fault);
  const held = heldSource();
  const model = createOpenAiModel({ model: 'fake-1', baseUrl: modelServer.url, apiKey: 'none', deadlineMs: 15_000 });
  const product = await startProduct({
    model: isStubborn === true ? stubborn(model) : model,
    mail: mailService.mail,
    works: works ?? true,
    pushes: pushes ?? true,
    ...(holdsSource === true ? { source: held.source } : {}),
  });
  const gates: Gate[] = holdsSource === true ? [held.gate] : [];
  return {
    ...{ product, modelServer, mailService, gates, reads: held.reads },
    close: async () => {
      await Promise.all(gates.map((gate) => gate.open()));
      await product.stop();
      await mailService.stop();
      await modelServer.close();
    },
  };
}

/** The same model, but a running call cannot be told to stop: it goes on to its end, which comes late. */
function stubborn(model: Model): Model {
  return {
    ...model,
    interruptible: false,
    summarise: async (request) => {
      const summary = await model.summarise({ ...request, signal: new AbortController().signal });
      await pause(700);
      return summary;
    },
  };
}

let starts = 0;

async function startReport({ product }: Scene, recipients: readonly string[] = ['reader@example.com']): Promise<string> {
  starts += 1;
  const started = await product.reports.start({ input: inputOf({ recipients }), key: `start-${starts}`, caller: 'test' });
  if (!('report' in started)) throw new Error(`the report was not started: ${started.kind}`);
  return started.report.id;
}

async function summarisingWith(scene: Scene, ...faults: readonly ModelFault[]): Promise<string> {
  scene.modelServer.script(...faults);
  const before = scene.modelServer.requests.length;
  const id = await startReport(scene);
  await until(() => scene.modelServer.requests.length > before, 'the model to be asked');
  return id;
}

async function sendingTo(scene: Scene, recipients: readonly string[]): Promise<string> {
  const id = await startReport(scene, recipients);
  await statusWhere(scene.product, id, ({ emailCounts }) => emailCounts.sending === 1, 'the email to be on its way');
  return id;
}

/** Waits until the report has ended and its run has closed, so that nothing listens any more. */
async function closed(scene: Scene, id: string): Promise<string> {
  await endOf(scene.product, id);
  await closeStatus(scene.product, id);
  return id;
}

/** Brings a new report to a moment, and answers its id once it is there. */
export const moments = {
  queued: (scene: Scene) => startReport(scene),
  collecting: async (scene: Scene) => {
    const before = scene.reads();
    const id = await startReport(scene);
    await until(() => scene.reads() > before, 'the source to be read');
    return id;
  },
  summarising: (scene: Scene) => summarisingWith(scene, { kind: 'stall' }),
  summarisingStubbornly: (scene: Scene) => summarisingWith(scene),
  nearSave: async (scene: Scene) => {
    const id = await startReport(scene);
    await statusWhere(scene.product, id, ({ operations }) => operations.some(({ name }) => name === 'combine'), 'the last model call');
    return id;
  },
  saving: async (scene: Scene) => {
    scene.gates.push(await lockTable(scene.product.databaseUrl, 'saved_reports'));
    const id = await startReport(scene);
    await until(() => isWaitedFor(scene.product.databaseUrl, 'saved_reports'), 'the save to be under way');
    return id;
  },
  saved: async (scene: Scene) => {
    scene.gates.push(await lockTable(scene.product.databaseUrl, 'messages'));
    const id = await startReport(scene);
    await statusWhere(scene.product, id, ({ phase }) => phase === 'saved', 'the report to be saved');
    return id;
  },
  sending: (scene: Scene) => sendingTo(scene, ['reader@example.com']),
  sendingFirstOfTwo: (scene: Scene) => sendingTo(scene, ['first@example.com', 'second@example.com']),
  betweenTries: async (scene: Scene) => {
    const id = await startReport(scene);
    await statusWhere(scene.product, id, ({ emailCounts }) => emailCounts.refused === 1, 'the email to be refused');
    return id;
  },
  ended: async (scene: Scene) => closed(scene, await startReport(scene)),
  cancelled: async (scene: Scene) => {
    const id = await summarisingWith(scene, { kind: 'stall' });
    await scene.product.reports.cancel(id, { requestId: 'the first', by: 'the first', reason: null, door: 'http' });
    return closed(scene, id);
  },
  failed: async (scene: Scene) => {
    scene.modelServer.script({ kind: 'status', status: 401 });
    return closed(scene, await startReport(scene));
  },
} satisfies Record<string, (scene: Scene) => Promise<string>>;

/** What everybody outside can find of a report once it has ended. */
export async function evidenceOf({ product, mailService, modelServer }: Scene, id: string): Promise<Evidence> {
  const status = await endOf(product, id);
  const ledger = await product.store.reading.ledger(id);
  const rows = await product.store.verification.rows(id);
  const asked = modelServer.requests.filter(({ headers }) => headers['x-standdown-report'] === id);
  const cutOff = await Promise.all(asked.map(({ left }) => Promise.race([left, pause(3000, 'still open')])));
  return { status, ledger, rows, taken: await mailService.taken(), cutOff };
}

export interface Evidence {
  readonly status: Status;
  readonly ledger: Awaited<ReturnType<Product['store']['reading']['ledger']>>;
  readonly rows: Awaited<ReturnType<Product['store']['verification']['rows']>>;
  readonly taken: number;
  /** For each call the model server got: whether its client left before the answer was complete. */
  readonly cutOff: readonly (boolean | string)[];
}
