import { chmod, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { runToEnd } from './processes.ts';
import type { CommandEnd } from './processes.ts';

/** `nobody` on Linux; no account has to exist under this number. */
const NOBODY = 65_534;
const USER_NAMESPACE = ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];
const OTHERS_MAY_ENTER = 0o001;

/** Runs commands as somebody other than root, whom PostgreSQL refuses. */
export interface OrdinaryUser {
  run(command: string, args: readonly string[]): Promise<CommandEnd>;
  /** Gives this user a file or folder of ours, with what is in it. */
  give(path: string): Promise<void>;
}

async function owns(path: string, uid: number): Promise<boolean> {
  return (await stat(path)).uid === uid;
}

async function handOver(folder: string, uid: number): Promise<void> {
  if (await owns(folder, uid)) return;
  const { status, output } = await runToEnd('chown', ['-R', String(uid), folder]);
  if (status !== 0) throw new Error(`chown of ${folder} failed: ${output}`);
}

async function refuseClosedFolders(path: string): Promise<void> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const { mode } = await stat(folder);
    if ((mode & OTHERS_MAY_ENTER) === 0) {
      throw new Error(`PostgreSQL does not run as root, and another user may not enter ${folder}: start as an ordinary user, or chmod o+x ${folder}`);
    }
  }
}

function hasAccount(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false; // As in many containers; initdb refuses such a user too.
  }
}

/** Our own user namespace, seen as nobody, who has an account everywhere; it may enter every folder that we may. */
function namespaceUser(uid: number): OrdinaryUser {
  return {
    run: (command, args) => runToEnd('unshare', [...USER_NAMESPACE, command, ...args]),
    give: (path) => handOver(path, uid),
  };
}

/** Nobody itself, who may enter only what is open to others. */
function nobody(): OrdinaryUser {
  return {
    run: async (command, args) => {
      await refuseClosedFolders(command);
      return runToEnd(command, args, { uid: NOBODY, gid: NOBODY });
    },
    give: async (path) => {
      await refuseClosedFolders(path);
      await handOver(path, NOBODY);
    },
  };
}

/** The user to run PostgreSQL as: ourselves, or for root and for users without an account, whom it refuses, a stand-in. */
export async function ordinaryUser(dataFolder: string): Promise<OrdinaryUser> {
  const ourselves = { run: runToEnd, give: async () => {} };
  const uid = process.getuid?.();
  if (uid === undefined || (uid !== 0 && hasAccount())) return ourselves;
  if ((await runToEnd('unshare', [...USER_NAMESPACE, 'true'])).status === 0) return namespaceUser(uid);
  if (uid !== 0) return ourselves;
  await chmod(dataFolder, 0o711);
  return nobody();
}
