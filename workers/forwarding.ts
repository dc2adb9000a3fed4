import {
  isGrpcServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import type { DueForward, DueOrder } from '../store/forwarding.ts';
import type { Store } from '../store/store.ts';
import { emailOf } from '../workflows/contract/email.ts';
import type { Batch, RunLimits } from '../workflows/contract/run.ts';

/** Tells a person running the process what it could not do. */
export type Warn = (says: string, error?: unknown) => void;

export interface ForwardingOptions {
  readonly store: Store;
  readonly temporal: Client;
  readonly namespace: string;
  readonly taskQueue: string;
  readonly runLimits: RunLimits;
  /** How long another process leaves a report alone that this one has taken. */
  readonly leaseMs: number;
  readonly vanishedCheckMs: number;
  readonly warn: Warn;
}

export interface Forwarder {
  /** Forwards what is due, of one report or of all; answers how many reports it took. Never rejects for Temporal's faults. */
  forward(only?: string): Promise<number>;
}

const monthAttribute = defineSearchAttributeKey('StanddownMonth', 'KEYWORD');
const atOnce = 50;
const callMs = 10_000;
/** gRPC's INVALID_ARGUMENT. */
const invalidArgument = 3;

/** Brings starts and cancels from the rows to Temporal until it has acknowledged them; doing so twice does no harm. */
export function createForwarder(options: ForwardingOptions): Forwarder {
  const known = { hasMonthAttribute: true };
  return {
    forward: async (only) => {
      const due = await options.store.forwarding.takeDue(atOnce, options.leaseMs, options.namespace, only ?? null);
      await Promise.all(due.map((report) => forwardOne(options, known, report)));
      return due.length;
    },
  };
}

async function forwardOne(options: ForwardingOptions, known: { hasMonthAttribute: boolean }, due: DueForward): Promise<void> {
  const { store, temporal, warn } = options;
  try {
    await temporal.withDeadline(Date.now() + callMs, async () => {
      if (due.start) await forwardStart(options, known, due);
      if (due.cancel) await forwardCancel(options, due.id);
      if (due.reconcile) await forwardReconcile(options, due.id);
      for (const order of due.orders) await forwardOrder(options, due.id, order);
    });
    await store.forwarding.settle(due.id);
  } catch (error) {
    // It stays due: this process or another one tries again after the lease.
    warn(`report ${due.id} could not be forwarded to Temporal yet`, error);
  }
}

async function forwardStart(options: ForwardingOptions, known: { hasMonthAttribute: boolean }, { id, month }: DueForward): Promise<void> {
  const { store, namespace, vanishedCheckMs } = options;
  // Several starts may find out at once that the attribute is missing: each tries again, the first one says so.
  const withMonth = known.hasMonthAttribute;
  try {
    await start(options, id, month, withMonth);
  } catch (error) {
    if (withMonth && isMissingAttribute(error)) {
      if (known.hasMonthAttribute) options.warn(`the namespace ${namespace} has no search attribute ${monthAttribute.name}: runs are started without it`);
      known.hasMonthAttribute = false;
      await start(options, id, month, false);
    } else if (isRefusedForGood(error)) {
      options.warn(`Temporal refuses to start report ${id}`, error);
      await store.decisions.loseWorkflow(id, 'workflow_refused');
    } else if (!(error instanceof WorkflowExecutionAlreadyStartedError)) {
      throw error;
    }
  }
  await store.forwarding.acknowledgeStart(id, namespace, vanishedCheckMs);
}

async function start({ temporal, taskQueue, runLimits }: ForwardingOptions, id: string, month: string, withMonth: boolean): Promise<void> {
  const start: WorkflowStartOptions = {
    workflowId: id,
    taskQueue,
    args: [{ reportId: id }],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    memo: { limits: runLimits },
    staticSummary: `Monthly report for ${month}`,
  };
  const attributes = withMonth ? { typedSearchAttributes: new TypedSearchAttributes([{ key: monthAttribute, value: month }]) } : {};
  await temporal.workflow.start('report', { ...start, ...attributes });
}

function isMissingAttribute(error: unknown): boolean {
  return grpcCode(error) === invalidArgument && /search attribute/i.test(grpcDetails(error));
}

/** Trying again cannot help: the request itself is wrong in Temporal's eyes. */
function isRefusedForGood(error: unknown): boolean {
  return grpcCode(error) === invalidArgument;
}

function grpcCode(error: unknown): number | null {
  if (isGrpcServiceError(error)) return error.code;
  return error instanceof Error && error.cause !== undefined ? grpcCode(error.cause) : null;
}

function grpcDetails(error: unknown): string {
  if (isGrpcServiceError(error)) return error.details;
  return error instanceof Error && error.cause !== undefined ? grpcDetails(error.cause) : '';
}

/** Reached only with an acknowledged start, so a run that is not found has closed and gone. */
async function forwardCancel({ store, temporal }: ForwardingOptions, id: string): Promise<void> {
  try {
    await temporal.workflow.getHandle(id).cancel();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
  await store.forwarding.acknowledgeCancel(id);
}

async function forwardReconcile({ store, temporal, taskQueue, runLimits }: ForwardingOptions, id: string): Promise<void> {
  await temporal.workflow.start('reconcile', {
    workflowId: `reconcile-${id}`,
    taskQueue,
    args: [{ reportId: id }],
    workflowIdConflictPolicy: 'USE_EXISTING',
    memo: { limits: runLimits },
    staticSummary: `Looks for unconfirmed emails of report ${id}`,
  });
  await store.forwarding.acknowledgeReconcile(id);
}

/** A run of its own for each correction and each resend; its id makes a repeat harmless. */
async function forwardOrder({ store, temporal, taskQueue, runLimits }: ForwardingOptions, reportId: string, order: DueOrder): Promise<void> {
  const { authority, email, from, to } = order;
  const batch: Batch = { authority, correction: correctionOf(order), from, to };
  try {
    await temporal.workflow.start('correction', {
      workflowId: [authority, email, reportId].filter((part) => part !== '').join('-'),
      taskQueue,
      args: [{ reportId, batch }],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      memo: { limits: runLimits },
      staticSummary: `Sends ${authority} of report ${reportId}`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  await store.forwarding.acknowledgeOrder(reportId, order);
}

function correctionOf({ authority, email }: DueOrder): number | null {
  return email === '' ? Number(authority.slice('correction-'.length)) : (emailOf(email)?.correction ?? null);
}
