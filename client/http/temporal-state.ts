import type { TemporalClient } from '../../workers/temporal-client.ts';
import type { TemporalState } from './health-calls.ts';

/** Less than anybody who probes `/readyz` waits. */
const withinMs = 1000;

/** Whether Temporal answers for this namespace, now. */
export async function temporalState({ client, namespace }: TemporalClient): Promise<TemporalState> {
  const late = Promise.withResolvers<TemporalState>();
  const timer = setTimeout(() => late.resolve('unreachable'), withinMs);
  const asked = client.withDeadline(Date.now() + withinMs, () => client.workflowService.describeNamespace({ namespace })).then(
    () => 'reachable' as const,
    () => 'unreachable' as const,
  );
  return Promise.race([asked, late.promise]).finally(() => clearTimeout(timer));
}
