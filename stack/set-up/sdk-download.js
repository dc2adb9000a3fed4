import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand, say } from './command.js';

const LIMIT_MS = 300_000; // Where packets are dropped the SDK's download waits for ever.

/**
 * Has Temporal's SDK download a server, for machines without pip; answers its path, or null.
 * Less good than the wheels: the version is pinned, but nothing is hash-checked.
 * @param {{ root: string, node: string, folder: string, kind: 'cli' | 'test-server', version: string }} download
 */
export async function downloadBySdk({ root, node, folder, kind, version }) {
  say(`there is no pip; asking Temporal's SDK to download ${kind} v${version}`);
  const script = fileURLToPath(new URL('./start-by-sdk.js', import.meta.url));
  const status = await runCommand(node, [script, kind, `v${version}`, folder], { cwd: root, timeoutMs: LIMIT_MS });
  const file = readdirSync(folder).find((name) => name.startsWith('temporal'));
  return status === 0 && file !== undefined ? join(folder, file) : null;
}
