import { ApplicationFailure, CancelledFailure, log } from '@temporalio/activity';
import { DatabaseUnavailable } from '../store/database.ts';
import { failureTypes } from '../workflows/contract/run.ts';

/**
 * Keeps texts of others out of Temporal's history: what an activity throws leaves it with a type of ours. A database that
 * is away is our own trouble and no failure of the step.
 */
export function inOwnWords<Args extends unknown[], Result>(activity: (...args: Args) => Promise<Result>): (...args: Args) => Promise<Result> {
  return async (...args) => {
    try {
      return await activity(...args);
    } catch (error) {
      if (error instanceof ApplicationFailure || error instanceof CancelledFailure) throw error;
      log.error('an activity failed', { error });
      if (error instanceof DatabaseUnavailable) throw ApplicationFailure.retryable('the database cannot be reached', failureTypes.interrupted);
      throw ApplicationFailure.retryable('an unexpected fault; the log of the worker says which', 'internal');
    }
  };
}
