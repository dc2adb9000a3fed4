import { hostname } from 'node:os';
import type { Dependencies } from '../activities/dependencies.ts';
import { createMaildevLookup } from '../activities/mail/maildev.ts';
import { createMailpitLookup } from '../activities/mail/mailpit.ts';
import type { MailLookup } from '../activities/mail/mail.ts';
import { createSmtpProvider } from '../activities/mail/smtp.ts';
import { createExtractiveModel } from '../activities/models/extractive.ts';
import type { Model } from '../activities/models/model.ts';
import { createOpenAiModel } from '../activities/models/openai.ts';
import { createRunning } from '../activities/running.ts';
import { createFolderSource } from '../activities/sources/folder.ts';
import type { Store } from '../store/store.ts';

/** The part of the settings that a worker needs, as `config.ts` gives them. */
export interface WorkSettings {
  readonly documentsRoot: string;
  readonly publicUrl: string;
  readonly secret: string;
  readonly model: { readonly kind: 'extractive' } | { readonly kind: 'openai'; readonly model: string; readonly baseUrl: string | null; readonly apiKey: string | null };
  readonly mail: { readonly smtpUrl: string; readonly from: string; readonly lookup: { readonly kind: 'maildev' | 'mailpit'; readonly url: string } | null };
  readonly limits: Dependencies['limits'];
}

/** Chooses the adapters that the settings name. */
export function dependenciesOf(store: Store, settings: WorkSettings, stopping: AbortSignal): Dependencies {
  const { mail, limits } = settings;
  return {
    store,
    running: createRunning(),
    stopping,
    source: createFolderSource({ root: settings.documentsRoot }),
    model: modelOf(settings),
    mail: { provider: createSmtpProvider({ url: mail.smtpUrl }), lookup: lookupOf(mail.lookup), from: mail.from },
    links: { secret: settings.secret, publicUrl: settings.publicUrl },
    holder: `${hostname()}:${process.pid}`,
    limits,
  };
}

function modelOf({ model, limits }: WorkSettings): Model {
  if (model.kind === 'extractive') return createExtractiveModel();
  return createOpenAiModel({ model: model.model, baseUrl: model.baseUrl, apiKey: model.apiKey, deadlineMs: limits.modelCallMs });
}

function lookupOf(lookup: WorkSettings['mail']['lookup']): MailLookup | null {
  if (lookup === null) return null;
  return lookup.kind === 'maildev' ? createMaildevLookup({ url: lookup.url }) : createMailpitLookup({ url: lookup.url });
}
