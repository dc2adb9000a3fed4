import { collectDocuments } from './collect.ts';
import type { Dependencies } from './dependencies.ts';
import { lookForEmails } from './reconcile.ts';
import { concludeReport, recordCancel, recordFailure, recordOutcomes } from './record.ts';
import { saveReport } from './save.ts';
import { sendEmails } from './send.ts';
import { summariseDocuments } from './summarise.ts';

/** The activities, by the names that workflows call them. */
export function createActivities(dependencies: Dependencies) {
  return {
    collectDocuments: collectDocuments(dependencies),
    summariseDocuments: summariseDocuments(dependencies),
    saveReport: saveReport(dependencies),
    sendEmails: sendEmails(dependencies),
    recordCancel: recordCancel(dependencies),
    recordFailure: recordFailure(dependencies),
    recordOutcomes: recordOutcomes(dependencies),
    concludeReport: concludeReport(dependencies),
    lookForEmails: lookForEmails(dependencies),
  };
}

export type Activities = ReturnType<typeof createActivities>;
