import { Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { NativeConnectionOptions } from '@temporalio/worker';

export interface TemporalSettings {
  readonly connect: Parameters<typeof loadClientConnectConfig>[0];
}

export interface TemporalClient {
  readonly client: Client;
  readonly namespace: string;
  readonly connectionOptions: NativeConnectionOptions;
  close(): Promise<void>;
}

/** A client that connects when it is first used, so that a process is ready with Temporal away. */
export function openTemporalClient({ connect }: TemporalSettings): TemporalClient {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig(connect);
  const connection = Connection.lazy(connectionOptions);
  const client = new Client({ connection, namespace });
  return { client, namespace, connectionOptions, close: () => connection.close() };
}
