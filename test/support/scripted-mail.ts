import type { Dependencies } from '../../activities/dependencies.ts';
import type { LookupResult, MailProvider, SendOutcome } from '../../activities/mail/mail.ts';

export interface ScriptedMail {
  readonly mail: Dependencies['mail'];
  /** Message-IDs handed over, one for each send. */
  readonly sent: string[];
  /** Message-IDs looked for. */
  readonly looked: string[];
}

/** A mail service that answers by a script, for what no server would wait for: days of refusals, late look-ups. */
export function scriptedMail(outcomeOf: (sendNumber: number) => SendOutcome | Promise<SendOutcome>, foundAt: (lookNumber: number) => LookupResult): ScriptedMail {
  const sent: string[] = [];
  const looked: string[] = [];
  const provider: MailProvider = {
    name: 'scripted',
    send: async ({ messageId }) => {
      sent.push(messageId);
      return outcomeOf(sent.length);
    },
    close: () => undefined,
  };
  const lookup = {
    name: 'scripted',
    find: async (messageId: string): Promise<LookupResult> => {
      looked.push(messageId);
      return foundAt(looked.length);
    },
  };
  return { mail: { provider, lookup, from: 'reports@standdown.localhost' }, sent, looked };
}
