import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MailDev } from 'maildev';

export interface Inbox {
  readonly smtpUrl: string;
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** A real mail server with an inbox, on free ports. */
export async function startInbox(): Promise<Inbox> {
  const folder = await mkdtemp(join(tmpdir(), 'inbox-'));
  const maildev = new MailDev({ smtp: 0, web: 0, ip: '127.0.0.1', webIp: '127.0.0.1', mailDirectory: folder, silent: true });
  const { smtp, api } = await maildev.start();
  return {
    smtpUrl: `smtp://127.0.0.1:${smtp.getPort()}`,
    url: `http://127.0.0.1:${api?.getPort()}`,
    stop: async () => {
      await maildev.stop();
      await rm(folder, { recursive: true });
    },
  };
}
