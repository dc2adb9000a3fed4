/** `EXPLORE=full` explores every configuration to its last state; without it a configuration ends at a limit, and says so. */
export const isThorough = process.env['EXPLORE'] === 'full';

export const limitOfStates = isThorough ? 20_000_000 : 17_000;
export const limitOfMinutes = isThorough ? 60 : 2;
