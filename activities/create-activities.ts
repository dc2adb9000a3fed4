import { collectDocuments } from './collect.ts';
import type { Dependencies } from './dependencies.ts';
import { lookForEmails } from './reconcile.ts';
import { inOwnWords } from './in-own-words.ts';
import { askForCancellation, concludeReport, recordCancel, recordFailure, recordOutcomes } from './record.ts';
import { saveReport } from './save.ts';
import { sendEmails } from './send.ts';
import { summariseDocuments } from './summarise.ts';

/** The activities, by the names that workflows call them. */
export function createActivities(dependencies: Dependencies) {
  return {
    collectDocuments: inOwnWords(collectDocuments(dependencies)),
    summariseDocuments: inOwnWords(summariseDocuments(dependencies)),
    saveReport: inOwnWords(saveReport(dependencies)),
    sendEmails: inOwnWords(sendEmails(dependencies)),
    recordCancel: inOwnWords(recordCancel(dependencies)),
    recordFailure: inOwnWords(recordFailure(dependencies)),
    recordOutcomes: inOwnWords(recordOutcomes(dependencies)),
    concludeReport: inOwnWords(concludeReport(dependencies)),
    askForCancellation: inOwnWords(askForCancellation(dependencies)),
    lookForEmails: inOwnWords(lookForEmails(dependencies)),
  };
}

export type Activities = ReturnType<typeof createActivities>;
