import type { Model } from '../../activities/models/model.ts';

/** A model that answers at once, where a test is about something else. */
export const quickModel: Model = {
  name: 'quick',
  interruptible: true,
  summarise: async ({ title }) => ({ text: `- A summary of ${title}.`, model: 'quick', inputTokens: 1, outputTokens: 1 }),
};
