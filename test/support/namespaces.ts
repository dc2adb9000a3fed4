import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';

import { inject } from 'vitest';
import { until } from './waiting.ts';

/** A namespace of its own on the run's dev server, without any search attribute of ours. */
export async function createNamespace(): Promise<string> {
  const namespace = `test-${randomUUID().slice(0, 8)}`;
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  try {
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') });
    const isThere = (): Promise<boolean> => connection.workflowService.describeNamespace({ namespace }).then(() => true, () => false);
    await until(isThere, 'the namespace to be there');
  } finally {
    await connection.close();
  }
  return namespace;
}
